// SPDX-License-Identifier: BSD-3-Clause
// What is known of a communicator is an attribute of it, and goes with it.
#include <algorithm>

#include "interposition/library.h"
#include "recorder/session.h"

namespace mpiaudit::recorder {
namespace {

int communicator_key = MPI_KEYVAL_INVALID;
/// The one that was asked for last, which is mostly asked for again.
MPI_Comm last_comm = MPI_COMM_NULL;
const Communicator* last_communicator = nullptr;

int forget_communicator(MPI_Comm, int, void* value, void*) {
    const Locked locked;
    last_comm = MPI_COMM_NULL;
    delete static_cast<Communicator*>(value);
    return MPI_SUCCESS;
}

std::uint64_t hash_of(const application::Ranks& ranks) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const int rank : ranks) {
        hash = (hash ^ static_cast<std::uint32_t>(rank)) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    return hash;
}

std::uint32_t group_of(MPI_Comm comm, int own_rank) {
    application::Ranks ranks = interposition::world_ranks(comm);
    const std::uint64_t hash = hash_of(ranks);
    auto& groups = session.groups;
    auto found =
        std::ranges::find_if(groups, [hash](const Group& group) { return group.hash == hash; });
    if (found == groups.end()) {
        groups.push_back({hash, std::move(ranks), own_rank, 0});
        found = groups.end() - 1;
    }
    ++found->communicators;
    return static_cast<std::uint32_t>(found - groups.begin());
}

}  // namespace

const Communicator& communicator_of(MPI_Comm comm) {
    if (comm == last_comm) return *last_communicator;
    if (communicator_key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_communicator, &communicator_key,
                                nullptr);
    void* value = nullptr;
    int is_there = 0;
    PMPI_Comm_get_attr(comm, communicator_key, &value, &is_there);
    if (is_there == 0) {
        auto* known = new Communicator;
        int is_inter = 0;
        PMPI_Comm_test_inter(comm, &is_inter);
        known->is_inter = is_inter != 0;
        PMPI_Comm_rank(comm, &known->rank);
        PMPI_Comm_size(comm, &known->size);
        known->group = group_of(comm, known->rank);
        PMPI_Comm_set_attr(comm, communicator_key, known);
        value = known;
    }
    last_comm = comm;
    last_communicator = static_cast<Communicator*>(value);
    return *last_communicator;
}

}  // namespace mpiaudit::recorder
