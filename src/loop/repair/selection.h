// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repair/repair.h"

namespace mpiaudit::repair {

// MPICH's choice of algorithms by size: a tree in JSON, which a file replaces as a whole.

/// The tree that is compiled into the MPICH of this process, found in the file of the library;
/// nothing with another library, or where there is none.
std::optional<std::string> own_selection();

/// Bytes that MPICH compares for blocks or a vector of so many; nothing where not all ranks of a
/// call know them, or it can compare none. \param collective MPI_Allreduce
std::optional<std::int64_t> selection_size(const std::string& collective, std::int64_t bytes,
                                           int ranks);

/// Whether a tree may name the algorithm, on so many ranks, at least for all sizes. Where MPICH
/// itself looks what an algorithm needs, a tree is believed: so those that need more than is
/// written into it are left out.
bool is_selectable(const std::string& collective, const std::string& algorithm, int ranks);

/// The tree with a branch for the sizes of each setting that needs one, on communicators of as many
/// ranks only. Throws std::invalid_argument when it has no branch for a collective.
std::string selection_file(const std::string& own, const std::vector<Setting>& settings);

// Open MPI's choice of algorithms by the size of the communicator and that of the data: a file of
// rules for coll/tuned.

/// Whether coll/tuned takes algorithms of this collective from a file. \param library as it calls
/// itself: Open MPI 4.1, 5.0 and 6.0 have been tried. From 5.0 on coll/han stands before it on
/// several nodes
bool has_tuned_rules(const std::string& library, const std::string& collective);

/// What Open MPI 4.1 compares for blocks or a vector of so many bytes; nothing where not all ranks
/// of a call know them.
std::optional<std::int64_t> tuned_size(const std::string& collective, std::int64_t bytes,
                                       int ranks);

/// The file for those of the settings that need one. Open MPI 6.0 takes no notice of one in the
/// form of earlier versions.
std::string tuned_rules_file(const std::vector<Setting>& settings, const std::string& library = {});

}  // namespace mpiaudit::repair
