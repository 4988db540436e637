// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// Major, minor, patch, stage, number of the stage: 6.0.0rc2 is {6, 0, 0, 2, 2}. Releases compare
/// in the order of their times: a release candidate precedes its release.
using Release = std::array<int, 5>;

/// Returns the release of "5.0.7", "4.0", "6.0.0rc2" or "4.2.0b1"; nullopt for other texts.
std::optional<Release> release_of(const std::string& text);

/// Returns the release of a library. \param name as from library_name(): "Open MPI v5.0.7"
/// \param vendor "Open MPI" or "MPICH"; nullopt for the library of another vendor
std::optional<Release> release_of_library(std::string_view name, std::string_view vendor);

/// Returns whether a library is of one of these series (first number) and not newer than the
/// release given for the series. \param name, vendor as for release_of_library()
/// \param last like "5.0.7" or "6.0.0rc2"
bool is_release_up_to(std::string_view name, std::string_view vendor,
                      const std::vector<const char*>& last);

}  // namespace mpiaudit
