// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repair/repair.h"

/// Open MPI's choice of algorithms by the size of the communicator and that of the data: a file of
/// rules for coll/tuned.
namespace mpiaudit::repair {

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
