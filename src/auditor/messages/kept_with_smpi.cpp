// SPDX-License-Identifier: BSD-3-Clause
#include "messages/kept_with.h"

#include <map>
#include <tuple>

namespace mpiaudit {

// SMPI keeps one set of attributes of MPI_COMM_WORLD for all ranks, and a communicator and static
// variables are the same ones for all ranks.
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

// It has no sessions, and its processes end together.
void forget_kept(MPI_Comm) {}

// SMPI keeps one set of attributes of MPI_COMM_WORLD for all ranks, and a duplicate has a table of
// all ranks on every rank. Its collectives use negative tags, so that nothing but the reference
// algorithms sends with their tags.
MPI_Comm private_communicator(MPI_Comm comm) {
    return comm;
}

}  // namespace mpiaudit
