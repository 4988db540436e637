// SPDX-License-Identifier: BSD-3-Clause
// Defines Communicator and communicator_of() of session.h.
#include <algorithm>

#include "interposition/library.h"
#include "recorder/session.h"

namespace mpiaudit::recorder {
namespace {

/// Cache of the last result of communicator_of(): most calls are on the communicator of the call
/// before.
MPI_Comm last_comm = MPI_COMM_NULL;
const Communicator* last_communicator = nullptr;

std::uint64_t hash_of(const application::Ranks& ranks) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const int rank : ranks) {
        hash = (hash ^ static_cast<std::uint32_t>(rank)) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    return hash;
}

std::uint32_t group_of(MPI_Comm comm, int own_rank) {
    application::Ranks ranks = world_ranks(comm);
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

Communicator::Communicator(MPI_Comm comm) : RankInComm{comm}, group{group_of(comm, rank)} {}

Communicator::~Communicator() {
    const Locked locked;
    last_comm = MPI_COMM_NULL;
}

const Communicator& communicator_of(MPI_Comm comm) {
    if (comm == last_comm) return *last_communicator;
    last_communicator = &attribute_of<Communicator>(comm);
    last_comm = comm;
    return *last_communicator;
}

}  // namespace mpiaudit::recorder
