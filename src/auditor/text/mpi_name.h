// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace mpiaudit {

/// Bcast of MPI_Bcast; what does not begin so stays as it is.
constexpr std::string_view without_mpi(std::string_view name) {
    constexpr std::string_view prefix = "MPI_";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace mpiaudit
