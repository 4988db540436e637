// SPDX-License-Identifier: BSD-3-Clause
#include "operations/operations.h"

#include <algorithm>

namespace mpiaudit {

const MpiOperation* find_mpi_operation(std::string_view name) {
    const auto* const found = std::ranges::find(mpi_operations, name, &MpiOperation::name);
    return found == mpi_operations.end() ? nullptr : found;
}

std::string nonblocking_name(std::string_view blocking) {
    std::string name(blocking);
    const std::size_t initial = std::string_view("MPI_").size();
    name[initial] = static_cast<char>(name[initial] - 'A' + 'a');
    return name.insert(initial, "I");
}

}  // namespace mpiaudit
