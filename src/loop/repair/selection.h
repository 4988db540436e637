// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/repair.h"

/// MPICH's choice of algorithms by size: a tree in JSON, which a file replaces as a whole.
namespace mpiaudit::repair {

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

}  // namespace mpiaudit::repair
