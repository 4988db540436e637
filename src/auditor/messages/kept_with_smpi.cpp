// SPDX-License-Identifier: BSD-3-Clause
#include "messages/kept_with.h"

#include <map>
#include <tuple>

namespace mpiaudit {

// All ranks share the attributes of MPI_COMM_WORLD in SMPI, as well as communicators and static
// variables, so the key contains the rank.
namespace {

std::map<std::tuple<MPI_Comm, int, std::type_index>, std::shared_ptr<void>> all_kept;

int own_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

}  // namespace

std::shared_ptr<void>& kept_with(MPI_Comm comm, std::type_index type) {
    return all_kept[{comm, own_rank(), type}];
}

// SMPI has no sessions, and its processes end together.
void forget_kept(MPI_Comm) {}

// A duplicate in SMPI would have a table of all ranks on every rank. SMPI's collectives use
// negative tags, so only the reference algorithms send with their tags.
MPI_Comm private_communicator(MPI_Comm comm) {
    return comm;
}

}  // namespace mpiaudit
