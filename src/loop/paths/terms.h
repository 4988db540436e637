// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "paths/paths.h"

namespace mpiaudit::paths {

/// An operation by the name that it has in a path.
struct Operation {
    std::string_view name;    ///< MPI_Gatherv, linear_Gatherv
    std::string_view family;  ///< MPI_Gatherv: whose signature it has
    Function function;
    bool is_reference;
    /// Why it cannot take the place of a call; empty when it can.
    std::string_view obstacle = {};
};

/// The operations of a family, MPI's own first.
std::vector<Operation> operations_of(std::string_view family);
/// Null when there is none.
const Operation* find_operation(std::string_view name);

}  // namespace mpiaudit::paths
