// SPDX-License-Identifier: BSD-3-Clause
#include "messages/kept_with.h"

#include <map>
#include <utility>

namespace mpiaudit {

// SMPI keeps one set of attributes of MPI_COMM_WORLD for all ranks, but every rank has its own
// copy of static variables.
std::shared_ptr<void>& kept_with(MPI_Comm comm, std::type_index type) {
    static std::map<std::pair<MPI_Comm, std::type_index>, std::shared_ptr<void>> kept;
    return kept[{comm, type}];
}

}  // namespace mpiaudit
