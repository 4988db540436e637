// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/best/best.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <span>

#include "collectives/best/choices.h"
#include "collectives/best/costs.h"
#include "collectives/datatypes/layout.h"
#include "messages/kept_with.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

bool is_commutative(MPI_Op op) {
    int commutes = 0;
    MPI_Op_commutative(op, &commutes);
    return commutes != 0;
}

/// What was chosen before with a communicator: to compare predictions takes some microseconds.
struct Decisions {
    struct Question {
        const void* choices;
        BlockSizes size;
        bool is_ordered;
        int root;
        auto operator<=>(const Question&) const = default;
    };
    int model = 0;  ///< by which, see number_of_model()
    std::map<Question, const void*> choice = {};
};

// An application with more sizes than this is not one that calls with the same ones again.
constexpr std::size_t most_decisions = 1000;

BlockSizes key_of(double bytes) {
    return {bytes, bytes};
}
BlockSizes key_of(const BlockSizes& sizes) {
    return sizes;
}

template <class Function, class Size>
Function* best_for(std::span<const Choice<Function, Size>> choices, Size size, MPI_Comm comm,
                   MPI_Op op, int root) {
    const bool is_ordered = op != MPI_OP_NULL && !is_commutative(op);
    auto& decisions = kept_with<Decisions>(comm);
    if (decisions.model != number_of_model() || decisions.choice.size() >= most_decisions)
        decisions = {number_of_model()};
    const auto [found, is_new] = decisions.choice.try_emplace(
        Decisions::Question{choices.data(), key_of(size), is_ordered, root});
    if (is_new) {
        const Costs on{model_of_choice(), messages::size_of(comm), node_split(comm), root};
        found->second = &fastest(choices, on, size, is_ordered);
    }
    return static_cast<const Choice<Function, Size>*>(found->second)->function;
}

template <class Function>
Function* best(std::span<const Choice<Function>> choices, std::int64_t count, MPI_Datatype type,
               MPI_Comm comm, MPI_Op op = MPI_OP_NULL, int root = 0) {
    return best_for(choices, static_cast<double>(count * type_bytes(type)), comm, op, root);
}

/// Of blocks whose sizes all ranks know.
template <class Function>
Function* best(std::span<const Choice<Function, BlockSizes>> choices, const int counts[],
               MPI_Datatype type, MPI_Comm comm, MPI_Op op = MPI_OP_NULL) {
    std::int64_t total = 0, largest = 0;
    for (const int count : std::span(counts, static_cast<std::size_t>(messages::size_of(comm)))) {
        total += count;
        largest = std::max<std::int64_t>(largest, count);
    }
    const auto bytes = [&](std::int64_t count) {
        return static_cast<double>(count * type_bytes(type));
    };
    return best_for(choices, BlockSizes{bytes(total), bytes(largest)}, comm, op, 0);
}

}  // namespace

int best_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    return best(bcast_choices(), count, datatype, comm, MPI_OP_NULL, root)(buffer, count, datatype,
                                                                           root, comm);
}

int best_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm) {
    return best(reduce_choices(), count, datatype, comm, op, root)(sendbuf, recvbuf, count,
                                                                   datatype, op, root, comm);
}

int best_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
    return best(allreduce_choices(), count, datatype, comm, op)(sendbuf, recvbuf, count, datatype,
                                                                op, comm);
}

int best_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return best(reduce_scatter_block_choices(), recvcount, datatype, comm, op)(
        sendbuf, recvbuf, recvcount, datatype, op, comm);
}

int best_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return best(reduce_scatter_choices(), recvcounts, datatype, comm, op)(
        sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int best_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm) {
    return best(allgatherv_choices(), recvcounts, recvtype, comm)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

int best_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return best(allgather_choices(), recvcount, recvtype, comm)(sendbuf, sendcount, sendtype,
                                                                recvbuf, recvcount, recvtype, comm);
}

int best_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const bool is_root = messages::rank_in(comm) == root;
    return best(gather_choices(), is_root ? recvcount : sendcount, is_root ? recvtype : sendtype,
                comm, MPI_OP_NULL,
                root)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int best_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const bool is_root = messages::rank_in(comm) == root;
    return best(scatter_choices(), is_root ? sendcount : recvcount, is_root ? sendtype : recvtype,
                comm, MPI_OP_NULL,
                root)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int best_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return best(alltoall_choices(), recvcount, recvtype, comm)(sendbuf, sendcount, sendtype,
                                                               recvbuf, recvcount, recvtype, comm);
}

int best_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
    return best(scan_choices(), count, datatype, comm, op)(sendbuf, recvbuf, count, datatype, op,
                                                           comm);
}

int best_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
    return best(exscan_choices(), count, datatype, comm, op)(sendbuf, recvbuf, count, datatype, op,
                                                             comm);
}

}  // namespace mpiaudit
