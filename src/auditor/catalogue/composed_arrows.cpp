// SPDX-License-Identifier: BSD-3-Clause
// Defines composed_arrows() of operation_arrows.h: operations of the library composed of other
// operations of the library, messages, local reductions and copies, as a correct library could do
// itself. The words in brackets behind the name of an operation say how.
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "catalogue/bind.h"
#include "catalogue/operation_arrows.h"
#include "catalogue/variant.h"
#include "catalogue/written_calls.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using under_test::look_at;

constexpr int tag = 1;

std::size_t bytes_of(const Place& place) {
    return static_cast<std::size_t>(place.span()) * place.extent;
}

void send(const void* data, int count, MPI_Datatype type, int to, MPI_Comm comm) {
    look_at(MPI_Send(data, count, type, to, tag, comm));
}

void receive(void* data, int count, MPI_Datatype type, int from, MPI_Comm comm) {
    look_at(MPI_Recv(data, count, type, from, tag, comm, MPI_STATUS_IGNORE));
}

// Relayed: the operation of the library with rank 0 as root, and one message between rank 0 and the
// root.

MPIAUDIT_WRITTEN_CALLS(RelayedBcast, none, {
    if (rank == root) MPI_Send(buffer, elements, type, 0, 0, comm);
    if (rank == 0) MPI_Recv(buffer, elements, type, root, 0, comm, MPI_STATUS_IGNORE);
    MPI_Bcast(buffer, elements, type, 0, comm);
})

MPIAUDIT_WRITTEN_CALLS(RelayedReduce, rank == 0 ? bytes : none, {
    MPI_Reduce(sendbuf, tmp, elements, type, op, 0, comm);
    if (rank == 0) MPI_Send(tmp, elements, type, root, 0, comm);
    if (rank == root) MPI_Recv(recvbuf, elements, type, 0, 0, comm, MPI_STATUS_IGNORE);
})

MPIAUDIT_WRITTEN_CALLS(RelayedGather, rank == 0 ? of_all_ranks(block_bytes) : none, {
    MPI_Gather(sendbuf, count, type, tmp, count, type, 0, comm);
    if (rank == 0) MPI_Send(tmp, p * count, type, root, 0, comm);
    if (rank == root) MPI_Recv(recvbuf, p * count, type, 0, 0, comm, MPI_STATUS_IGNORE);
})

MPIAUDIT_WRITTEN_CALLS(RelayedScatter, rank == 0 ? of_all_ranks(block_bytes) : none, {
    if (rank == root) MPI_Send(sendbuf, p * count, type, 0, 0, comm);
    if (rank == 0) MPI_Recv(tmp, p * count, type, root, 0, comm, MPI_STATUS_IGNORE);
    MPI_Scatter(tmp, count, type, recvbuf, count, type, 0, comm);
})

// Folded: one rank of each pair takes part, so that the operation of the library runs on the
// largest power of two; R. Rabenseifner, J. L. Träff, More efficient reduction algorithms for
// non-power-of-two number of processors in message-passing parallel systems, EuroPVM/MPI 2004.

/// The partner of a rank in the smaller communicator, and which rank of the pair takes part.
struct FoldToPower {
    int partner = MPI_PROC_NULL;  ///< MPI_PROC_NULL on ranks behind the pairs
    bool takes_part = true;
    bool is_upper = false;  ///< this rank is the upper one of the pair
    MPI_Comm comm;          ///< the ranks that take part, or on other ranks the others
    int root;               ///< rank of the root in `comm`, if this rank takes part

    explicit FoldToPower(const Instance& instance)
        : comm{folded_communicator(instance.comm, instance.problem().root)},
          root{folded_rank(instance.problem().root, instance.problem().ranks())} {
        const int rank = instance.rank();
        const int root_of_all = instance.problem().root;
        const int ranks = instance.problem().ranks();
        if (!is_of_a_pair(rank, ranks)) return;
        partner = rank ^ 1;
        is_upper = rank % 2 == 1;
        takes_part = stands_for_pair(rank, root_of_all, ranks);
    }
    bool has_partner() const { return partner != MPI_PROC_NULL; }
};

/// Reduces the contributions of pairs in the order of the ranks, on the ranks that take part.
/// Returns the address of the contribution of this rank; null if its partner takes part.
const std::byte* fold_contributions(const FoldToPower& fold, const Place& own, std::byte* room,
                                    MPI_Op op, MPI_Comm comm) {
    const int count = own.span();
    if (!fold.takes_part) {
        send(own.data, count, own.type, fold.partner, comm);
        return nullptr;
    }
    if (!fold.has_partner()) return own.data;
    if (count == 0) {
        receive(nullptr, 0, own.type, fold.partner, comm);
        return own.data;
    }
    std::byte* const other = room;
    std::byte* const sum = fold.is_upper ? room + bytes_of(own) : other;
    receive(other, count, own.type, fold.partner, comm);
    if (fold.is_upper) std::memcpy(sum, own.data, bytes_of(own));
    look_at(MPI_Reduce_local(fold.is_upper ? other : own.data, sum, count, own.type, op));
    return sum;
}

/// \param sent the contribution of each rank; none if the operation has no contributions
/// \param received the result of all ranks; none if not all ranks get a result
/// \param operation called on ranks that take part, with the folded contribution
template <class Operation>
Step folded(const Instance& instance, const std::optional<Place>& sent,
            const std::optional<Place>& received, const Place& result, Operation operation) {
    const FoldToPower fold(instance);
    const auto room = sent && fold.takes_part && fold.has_partner()
                          ? instance.scratch(2 * bytes_of(*sent))
                          : nullptr;
    return {[=, op = sent && !sent->counts.empty() ? instance.op() : MPI_OP_NULL,
             comm = instance.comm] {
                const std::byte* data =
                    sent ? fold_contributions(fold, *sent, room.get(), op, comm) : nullptr;
                if (fold.takes_part) operation(fold, data);
                if (!received || !fold.has_partner()) return;
                if (fold.takes_part)
                    send(received->data, received->span(), received->type, fold.partner, comm);
                else
                    receive(received->data, received->span(), received->type, fold.partner, comm);
            },
            result};
}

Step folded_bcast(const Instance& instance, const Place& from, Layout to) {
    Place all = instance.is_root() ? from : instance.target(to);
    all.layout = to;
    return folded(instance, {}, all, all, [all](const FoldToPower& fold, const std::byte*) {
        look_at(MPI_Bcast(all.data, all.span(), all.type, fold.root, fold.comm));
    });
}

Step folded_reduce(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    return folded(instance, from, {}, result,
                  [=, op = instance.op()](const FoldToPower& fold, const std::byte* data) {
                      look_at(MPI_Reduce(data, result.data, from.span(), from.type, op, fold.root,
                                         fold.comm));
                  });
}

Step folded_allreduce(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    return folded(
        instance, from, result, result,
        [=, op = instance.op()](const FoldToPower& fold, const std::byte* data) {
            look_at(MPI_Allreduce(data, result.data, from.span(), from.type, op, fold.comm));
        });
}

Step folded_barrier(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    return folded(instance, from, result, result, [](const FoldToPower& fold, const std::byte*) {
        look_at(MPI_Barrier(fold.comm));
    });
}

// Reductions by operations that only move data: every rank reduces all contributions itself, in the
// order of the ranks, and so with any operator.

MPIAUDIT_WRITTEN_CALLS(AllreduceByAllgather, of_all_ranks(bytes), {
    MPI_Allgather(sendbuf, elements, type, tmp, elements, type, comm);
    memcpy(recvbuf, tmp + (p - 1) * bytes, bytes);
    for (int k = (p - 1) - 1; k >= 0; --k)
        MPI_Reduce_local(tmp + k * bytes, recvbuf, elements, type, op);
})

MPIAUDIT_WRITTEN_CALLS(ScanByAllgather, of_all_ranks(bytes), {
    MPI_Allgather(sendbuf, elements, type, tmp, elements, type, comm);
    memcpy(recvbuf, tmp + rank * bytes, bytes);
    for (int k = rank - 1; k >= 0; --k)
        MPI_Reduce_local(tmp + k * bytes, recvbuf, elements, type, op);
})

MPIAUDIT_WRITTEN_CALLS(ExscanByAllgather, of_all_ranks(bytes), {
    MPI_Allgather(sendbuf, elements, type, tmp, elements, type, comm);
    if (rank > 0) {
        memcpy(recvbuf, tmp + (rank - 1) * bytes, bytes);
        for (int k = (rank - 1) - 1; k >= 0; --k)
            MPI_Reduce_local(tmp + k * bytes, recvbuf, elements, type, op);
    }
})

MPIAUDIT_WRITTEN_CALLS(ReduceScatterBlockByAlltoall, of_all_ranks(block_bytes), {
    MPI_Alltoall(sendbuf, count, type, tmp, count, type, comm);
    memcpy(recvbuf, tmp + (p - 1) * block_bytes, block_bytes);
    for (int k = (p - 1) - 1; k >= 0; --k)
        MPI_Reduce_local(tmp + k * block_bytes, recvbuf, count, type, op);
})

MPIAUDIT_WRITTEN_CALLS(ReduceScatterByAlltoallv, of_all_ranks(block_bytes), {
    MPI_Alltoallv(sendbuf, counts, displs, type, tmp, recvcounts, rdispls, type, comm);
    memcpy(recvbuf, tmp + (p - 1) * block_bytes, block_bytes);
    for (int k = (p - 1) - 1; k >= 0; --k)
        MPI_Reduce_local(tmp + k * block_bytes, recvbuf, count, type, op);
})

/// Sends every contribution to the next rank; then a scan without rank 0.
MPIAUDIT_WRITTEN_CALLS(ExscanByScan, rank > 0 ? bytes : none, {
    MPI_Sendrecv(sendbuf, elements, type, rank + 1 < p ? rank + 1 : MPI_PROC_NULL, 0, tmp,
                 rank > 0 ? elements : 0, type, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, comm,
                 MPI_STATUS_IGNORE);
    if (rank > 0) MPI_Scan(tmp, recvbuf, elements, type, op, all_but_rank_0);
})

// Operations in which every rank is a root, by one rooted operation for each rank, all in flight.

MPIAUDIT_WRITTEN_CALLS(AllgathervByIbcast, none, {
    memcpy(own_block_in_recvbuf, sendbuf, block_bytes);
    for (int k = 0; k < p; ++k)
        MPI_Ibcast(recvbuf + displs[k] * extent, counts[k], type, k, comm, &requests[k]);
    MPI_Waitall(p, requests, MPI_STATUSES_IGNORE);
})

MPIAUDIT_WRITTEN_CALLS(AlltoallvByIscatterv, none, {
    for (int k = 0; k < p; ++k)
        MPI_Iscatterv(sendbuf, sendcounts, sdispls, type, recvbuf + rdispls[k] * extent,
                      recvcounts[k], type, k, comm, &requests[k]);
    MPI_Waitall(p, requests, MPI_STATUSES_IGNORE);
})

/// Every rank gets all blocks, and keeps its own.
MPIAUDIT_WRITTEN_CALLS(AlltoallByAllgather, of_all_ranks(of_all_ranks(block_bytes)), {
    MPI_Allgather(sendbuf, p * count, type, tmp, p * count, type, comm);
    for (int k = 0; k < p; ++k)
        memcpy(recvbuf + k * block_bytes, tmp + (k * p + rank) * block_bytes, block_bytes);
})

template <class Calls>
Arrow row(const char* name, const char* summary, unsigned needs = anything) {
    const bool computes = Calls::code.find("MPI_Reduce_local") != std::string_view::npos;
    return variant_of_operation(name, summary, written::prepare<Calls>,
                                needs | (computes ? computes_on_host : anything));
}

}  // namespace

std::vector<Arrow> composed_arrows() {
    constexpr auto relayed = "a message between the root and rank 0, and the operation with root 0";
    constexpr auto folded =
        "of pairs of ranks one takes part, so that the operation runs on a power of two";
    constexpr auto gathered =
        "every rank gets all contributions and reduces those that it needs itself";
    constexpr auto exchanged = "every rank gets the operands of its block and reduces them itself";
    return {
        row<RelayedBcast>("MPI_Bcast[relayed]", relayed, another_root),
        row<RelayedReduce>("MPI_Reduce[relayed]", relayed, another_root),
        row<RelayedGather>("MPI_Gather[relayed]", relayed, another_root),
        row<RelayedScatter>("MPI_Scatter[relayed]", relayed, another_root),
        // The communicators of folded operations are none that a user has.
        variant_of_operation("MPI_Bcast[folded]", folded, folded_bcast, ranks_to_fold),
        variant_of_operation("MPI_Reduce[folded]", folded, folded_reduce,
                             ranks_to_fold | computes_on_host),
        variant_of_operation("MPI_Allreduce[folded]", folded, folded_allreduce,
                             ranks_to_fold | computes_on_host),
        variant_of_operation("MPI_Barrier[folded]", folded, folded_barrier, ranks_to_fold),
        row<AllreduceByAllgather>("MPI_Allreduce[by MPI_Allgather]", gathered, room_for_all),
        row<ScanByAllgather>("MPI_Scan[by MPI_Allgather]", gathered, room_for_all),
        row<ExscanByAllgather>("MPI_Exscan[by MPI_Allgather]", gathered, room_for_all),
        row<ExscanByScan>("MPI_Exscan[by MPI_Scan]",
                          "contributions move on by one rank, and a scan without rank 0"),
        row<ReduceScatterBlockByAlltoall>("MPI_Reduce_scatter_block[by MPI_Alltoall]", exchanged),
        row<ReduceScatterByAlltoallv>("MPI_Reduce_scatter[by MPI_Alltoallv]", exchanged,
                                      room_for_all),
        row<AllgathervByIbcast>("MPI_Allgatherv[by MPI_Ibcast]",
                                "every rank broadcasts its block, all at once"),
        row<AlltoallvByIscatterv>("MPI_Alltoallv[by MPI_Iscatterv]",
                                  "every rank scatters its blocks, all at once"),
        row<AlltoallByAllgather>("MPI_Alltoall[by MPI_Allgather]",
                                 "every rank gets the blocks for all and keeps its own",
                                 room_for_all),
    };
}

}  // namespace mpiaudit
