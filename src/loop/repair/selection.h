// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repair/repair.h"

namespace mpiaudit::repair {

// Selection files of MPICH: a JSON tree of algorithms by size, which replaces the built-in tree.

/// Returns the size that MPICH compares for blocks or a vector of `bytes`; nullopt if not all ranks
/// of a call know it, or if MPICH compares none. \param collective MPI_Allreduce
std::optional<std::int64_t> selection_size(const std::string& collective, std::int64_t bytes,
                                           int ranks);

/// Returns whether a tree may name the algorithm on this number of ranks. MPICH does not check the
/// requirements of an algorithm that a tree names, so algorithms with further requirements are
/// excluded.
bool is_selectable(const std::string& collective, const std::string& algorithm, int ranks);

/// Returns the tree with branches for the settings, each for communicators with its number of
/// ranks. Throws std::invalid_argument if the tree has no branch for a collective.
std::string selection_file(const std::string& own, const std::vector<Setting>& settings);

// Rule files of Open MPI's component coll/tuned: algorithms by the sizes of communicator and data.

/// Returns whether coll/tuned reads algorithms of this collective from a file; tried with Open MPI
/// 4.1, 5.0 and 6.0. From 5.0 on coll/han takes precedence on several nodes.
/// \param library as MPI_Get_library_version names it
bool has_tuned_rules(const std::string& library, const std::string& collective);

/// Returns the size that Open MPI 4.1 compares for blocks or a vector of `bytes`; nullopt if not
/// all ranks of a call know it.
std::optional<std::int64_t> tuned_size(const std::string& collective, std::int64_t bytes,
                                       int ranks);

/// Returns the file for all settings that need one. Open MPI 6.0 ignores files in the form of
/// earlier versions.
std::string tuned_rules_file(const std::vector<Setting>& settings, const std::string& library = {});

}  // namespace mpiaudit::repair
