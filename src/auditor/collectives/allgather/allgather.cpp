// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <vector>

#include "collectives/call/copy.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/replicate.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

int place_and_replicate(Replicate replicate, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, const Blocks& blocks, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself({sendbuf, sendcount, sendtype}, blocks.message(ranks.rank), ranks);
    replicate(blocks, ranks);
    return MPI_SUCCESS;
}

}  // namespace

int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks blocks = Blocks::equal(recvbuf, recvcount, recvtype, ranks.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, blocks, ranks);
}

int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks blocks = Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, blocks, ranks);
}

void replicate_at_once(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(ranks.size));
    for (int source = 0; source < ranks.size; ++source) {
        if (source == rank) continue;
        ranks.start_receive(requests, blocks.message(source), source);
    }
    for (int destination = 0; destination < ranks.size; ++destination) {
        if (destination == rank) continue;
        ranks.start_send(requests, blocks.message(rank), destination);
    }
    requests.wait_for_all();
}

void replicate_spreading(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    for (int step = 1; step < ranks.size; ++step) {
        const int destination = ranks.shifted(step);
        const int source = ranks.shifted(-step);
        ranks.exchange(blocks.message(rank), destination, blocks.message(source), source);
    }
}

// The blocks of a subtree of the binomial tree are consecutive. Every rank has room for all blocks,
// so that they are gathered in their final places on the way to the root, rank 0.
void replicate_by_root(const Blocks& blocks, const Ranks& ranks) {
    const KnomialTree<2> tree = knomial_tree<2>(ranks);
    const auto subtree = [&](int rank) {
        return blocks.message(rank, KnomialTree<2>{rank, ranks.size}.subtree());
    };
    tree.for_each_child_up([&](int child) { ranks.receive(subtree(child), child); });
    if (ranks.rank > 0) ranks.send(subtree(ranks.rank), tree.parent());
    broadcast_along(tree, blocks.message(0, ranks.size), ranks);
}

// Thakur & Gropp, section 4.1; the limit is on the data gathered on each process.
void replicate_as_MPICH2004(const Blocks& blocks, const Ranks& ranks) {
    const bool is_long = blocks.bytes(0, blocks.size()) >= MPICH2004_limits::long_allgather;
    (is_long ? replicate_by_ring : replicate_by_recursive_doubling)(blocks, ranks);
}

}  // namespace mpiaudit
