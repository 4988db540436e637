// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"
#include "collectives/call/blocks.h"
#include "collectives/call/copy.h"
#include "collectives/call/integers.h"
#include "collectives/call/node_communicators.h"
#include "collectives/call/ranks.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

// The blocks of one group go round another, and then every rank passes on to the next group what it
// got from the one before.
void replicate_by_rings_of_groups(const Blocks& blocks, const Ranks& ranks, int ranks_per_group) {
    const int k = ranks_per_group, groups = ranks.size / k;
    const int group = ranks.rank / k, place = ranks.rank % k;
    const auto exchange = [&](int sent, int to, int received, int from) {
        messages::exchange(blocks.at(sent), blocks.count(sent), blocks.type(), to, Tag::data,
                           blocks.at(received), blocks.count(received), blocks.type(), from,
                           Tag::data, ranks.comm);
    };
    const auto in_group = [&](int of, int at) { return of * k + modulo(at, k); };
    for (int round = 0; round < groups; ++round) {
        const int source = modulo(group - round, groups);
        for (int step = 1; step < k; ++step)
            exchange(in_group(source, place - step + 1), in_group(group, place + 1),
                     in_group(source, place - step), in_group(group, place - 1));
        if (round + 1 == groups) continue;
        exchange(in_group(source, place), in_group((group + 1) % groups, place),
                 in_group(modulo(source - 1, groups), place),
                 in_group(modulo(group - 1, groups), place));
    }
}

/// The nodes where they are known, else about as many groups as ranks in each.
int ranks_per_ring(MPI_Comm comm, int ranks) {
    const NodeSplit& split = node_split(comm);
    return split.has_lanes() && split.ranks_per_node > 0 ? split.ranks_per_node
                                                         : ranks / largest_divisor_to_root(ranks);
}

int gather_by_rings(const void* sendbuf, int sendcount, MPI_Datatype sendtype, const Blocks& blocks,
                    const Ranks& ranks, MPI_Comm comm) {
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself({sendbuf, sendcount, sendtype}, blocks.message(ranks.rank), ranks);
    replicate_by_rings_of_groups(blocks, ranks, ranks_per_ring(comm, ranks.size));
    return MPI_SUCCESS;
}

}  // namespace

int kring_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    return gather_by_rings(sendbuf, sendcount, sendtype,
                           Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks, comm);
}

int kring_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm) {
    const Ranks ranks{comm};
    return gather_by_rings(sendbuf, sendcount, sendtype,
                           Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks.size),
                           ranks, comm);
}

}  // namespace mpiaudit
