// SPDX-License-Identifier: BSD-3-Clause
// Operations of the library put together from other operations of the library, with messages, local
// reductions and copies between them: what a correct library could do itself. What stands in
// brackets behind the operation's name says how.
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "catalogue/bind.h"
#include "catalogue/operation_arrows.h"
#include "catalogue/variant.h"
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

// Relayed: the library's operation at rank 0 and one message between rank 0 and the root.

Step relayed_bcast(const Instance& instance, const Place& from, Layout to) {
    const Place all = instance.target(to);
    Place result = instance.is_root() ? from : all;
    result.layout = to;
    const int count = all.span();
    return {[=, rank = instance.rank(), root = instance.root(), comm = instance.comm] {
                if (rank == root) send(from.data, count, all.type, 0, comm);
                if (rank == 0) receive(all.data, count, all.type, root, comm);
                look_at(MPI_Bcast(all.data, count, all.type, 0, comm));
            },
            result};
}

/// Room for what rank 0 has in between; null on the others.
std::shared_ptr<std::byte> room_at_0(const Instance& instance, int elements, std::size_t extent) {
    return instance.rank() != 0
               ? nullptr
               : instance.workspace.scratch(static_cast<std::size_t>(elements) * extent);
}

Step relayed_reduce(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = from.span();
    const auto at_0 = room_at_0(instance, count, from.extent);
    return {[=, rank = instance.rank(), root = instance.root(), op = instance.op(),
             comm = instance.comm] {
                look_at(MPI_Reduce(from.data, at_0.get(), count, from.type, op, 0, comm));
                if (rank == 0) send(at_0.get(), count, from.type, root, comm);
                if (rank == root) receive(result.data, count, from.type, 0, comm);
            },
            result};
}

Step relayed_gather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = from.counts.front();
    const int all = count * instance.problem().ranks();
    const auto at_0 = room_at_0(instance, all, from.extent);
    return {
        [=, rank = instance.rank(), root = instance.root(), comm = instance.comm] {
            look_at(MPI_Gather(from.data, count, from.type, at_0.get(), count, from.type, 0, comm));
            if (rank == 0) send(at_0.get(), all, from.type, root, comm);
            if (rank == root) receive(result.data, all, from.type, 0, comm);
        },
        result};
}

Step relayed_scatter(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = result.counts.front();
    const int all = count * instance.problem().ranks();
    const auto at_0 = room_at_0(instance, all, result.extent);
    return {[=, rank = instance.rank(), root = instance.root(), comm = instance.comm] {
                if (rank == root) send(from.data, all, result.type, 0, comm);
                if (rank == 0) receive(at_0.get(), all, result.type, root, comm);
                look_at(MPI_Scatter(at_0.get(), count, result.type, result.data, count, result.type,
                                    0, comm));
            },
            result};
}

// Folded: of pairs of ranks one takes part, so that the library's operation runs on the largest
// power of two; R. Rabenseifner, J. L. Träff, More efficient reduction algorithms for
// non-power-of-two number of processors in message-passing parallel systems, EuroPVM/MPI 2004.

/// Whom a rank has beside itself in the smaller communicator, and who stands for it.
struct FoldToPower {
    int partner = MPI_PROC_NULL;  ///< of a pair; none behind the pairs
    bool takes_part = true;
    bool is_upper = false;  ///< of the pair
    MPI_Comm comm;          ///< of those that take part, of the others otherwise
    int root;               ///< in `comm`; only where it takes part

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

/// The contributions of pairs, reduced in the order of the ranks by those that take part. Returns
/// where a rank has what it contributes further; null where another one does.
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

/// \param sent what the ranks contribute, \param received what all of them get: none where the
/// operation has none
/// \param operation of those that take part, on what they have then
template <class Operation>
Step folded(const Instance& instance, const std::optional<Place>& sent,
            const std::optional<Place>& received, const Place& result, Operation operation) {
    const FoldToPower fold(instance);
    const auto room = sent && fold.takes_part && fold.has_partner()
                          ? instance.workspace.scratch(2 * bytes_of(*sent))
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

// Reductions by operations that only move data: every rank reduces what it needs itself, in the
// order of the ranks, and so with any operator.

/// Reduces the vectors first ... last, one behind the other at `all`, to `result`.
void reduce_in_order(const std::byte* all, int last, std::byte* result, int count,
                     MPI_Datatype type, std::size_t extent, MPI_Op op) {
    const std::size_t bytes = static_cast<std::size_t>(count) * extent;
    if (bytes == 0) return;
    std::memcpy(result, all + static_cast<std::size_t>(last) * bytes, bytes);
    for (int k = last - 1; k >= 0; --k)
        look_at(
            MPI_Reduce_local(all + static_cast<std::size_t>(k) * bytes, result, count, type, op));
}

/// `last_before`: how many ranks before the own one is the last whose contribution counts;
/// negative: all ranks count.
template <int last_before>
Step reduction_by_allgather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int ranks = instance.problem().ranks();
    const int count = from.span();
    const int last = last_before < 0 ? ranks - 1 : instance.rank() - last_before;
    const auto all = instance.workspace.scratch(bytes_of(from) * static_cast<std::size_t>(ranks));
    return {
        [=, op = instance.op(), comm = instance.comm] {
            look_at(MPI_Allgather(from.data, count, from.type, all.get(), count, from.type, comm));
            if (last >= 0)
                reduce_in_order(all.get(), last, result.data, count, from.type, from.extent, op);
        },
        result};
}

/// \param exchange brings this rank's block of all ranks into `all`
Step reduced_behind(Call exchange, const Instance& instance, std::shared_ptr<std::byte> all,
                    const Place& result) {
    return {[=, exchange = std::move(exchange), last = instance.problem().ranks() - 1,
             op = instance.op()] {
                exchange();
                reduce_in_order(all.get(), last, result.data, result.counts.front(), result.type,
                                result.extent, op);
            },
            result};
}

Step reduce_scatter_by_alltoallv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int own = result.counts.front();
    BlocksOfRanks received(instance.problem().ranks());
    for (std::size_t k = 0; k < received.counts.size(); ++k) {
        received.counts[k] = own;
        received.displacements[k] = narrow(static_cast<Count>(k) * own);
    }
    const auto all = instance.workspace.scratch(received.counts.size() *
                                                static_cast<std::size_t>(own) * from.extent);
    return reduced_behind(alltoallv(from.data, blocks_of(from), all.get(), blocks_of(received),
                                    from.type, instance.comm),
                          instance, all, result);
}

Step reduce_scatter_block_by_alltoall(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int own = result.counts.front();
    const auto all =
        instance.workspace.scratch(static_cast<std::size_t>(instance.problem().ranks()) *
                                   static_cast<std::size_t>(own) * from.extent);
    const auto exchange = [=, comm = instance.comm] {
        look_at(MPI_Alltoall(from.data, own, from.type, all.get(), own, from.type, comm));
    };
    return reduced_behind(exchange, instance, all, result);
}

/// Every contribution moves on by one rank; then a scan without rank 0.
Step exscan_by_scan(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int rank = instance.rank();
    const int next = rank + 1 < instance.problem().ranks() ? rank + 1 : MPI_PROC_NULL;
    const int count = from.span();
    const auto of_previous = rank > 0 ? instance.workspace.scratch(bytes_of(from)) : nullptr;
    const MPI_Comm others = communicator_without_first(instance.comm);
    return {[=, op = instance.op(), comm = instance.comm] {
                const int previous = rank > 0 ? rank - 1 : MPI_PROC_NULL;
                // Open MPI wants a buffer for as many elements as are named, whoever sends them.
                look_at(MPI_Sendrecv(from.data, count, from.type, next, tag, of_previous.get(),
                                     rank > 0 ? count : 0, from.type, previous, tag, comm,
                                     MPI_STATUS_IGNORE));
                if (rank > 0)
                    look_at(MPI_Scan(of_previous.get(), result.data, count, from.type, op, others));
            },
            result};
}

// Operations in which all ranks are roots, by as many rooted ones in flight.

Step allgatherv_by_ibcast(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    std::byte* const own = result.block(static_cast<std::size_t>(instance.rank()));
    const std::size_t own_bytes = static_cast<std::size_t>(from.counts.front()) * from.extent;
    const Call broadcasts = in_flight(
        instance.problem().ranks(), [=, comm = instance.comm](int root, MPI_Request* request) {
            const auto k = static_cast<std::size_t>(root);
            return MPI_Ibcast(result.block(k), result.counts[k], result.type, root, comm, request);
        });
    return {[=] {
                if (own_bytes > 0) std::memcpy(own, from.data, own_bytes);
                broadcasts();
            },
            result};
}

Step alltoallv_by_iscatterv(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    return {in_flight(instance.problem().ranks(),
                      [=, comm = instance.comm](int root, MPI_Request* request) {
                          const auto k = static_cast<std::size_t>(root);
                          return MPI_Iscatterv(
                              from.data, from.counts.data(), from.displacements.data(), from.type,
                              result.block(k), result.counts[k], result.type, root, comm, request);
                      }),
            result};
}

/// Everybody gets everything, and keeps what is for it.
Step alltoall_by_allgather(const Instance& instance, const Place& from, Layout to) {
    std::vector<std::size_t> kept;
    const auto own_block = static_cast<std::size_t>(instance.rank());
    const auto ranks = static_cast<std::size_t>(instance.problem().ranks());
    for (std::size_t k = 0; k < ranks; ++k) kept.push_back(k * ranks + own_block);
    return allgather_and_select(instance, from, to, std::move(kept));
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
        variant_of_operation("MPI_Bcast[relayed]", relayed, relayed_bcast, another_root),
        variant_of_operation("MPI_Reduce[relayed]", relayed, relayed_reduce, another_root),
        variant_of_operation("MPI_Gather[relayed]", relayed, relayed_gather, another_root),
        variant_of_operation("MPI_Scatter[relayed]", relayed, relayed_scatter, another_root),
        variant_of_operation("MPI_Bcast[folded]", folded, folded_bcast, ranks_to_fold),
        variant_of_operation("MPI_Reduce[folded]", folded, folded_reduce, ranks_to_fold),
        variant_of_operation("MPI_Allreduce[folded]", folded, folded_allreduce, ranks_to_fold),
        variant_of_operation("MPI_Barrier[folded]", folded, folded_barrier, ranks_to_fold),
        variant_of_operation("MPI_Allreduce[by MPI_Allgather]", gathered,
                             reduction_by_allgather<-1>, room_for_all),
        variant_of_operation("MPI_Scan[by MPI_Allgather]", gathered, reduction_by_allgather<0>,
                             room_for_all),
        variant_of_operation("MPI_Exscan[by MPI_Allgather]", gathered, reduction_by_allgather<1>,
                             room_for_all),
        variant_of_operation("MPI_Exscan[by MPI_Scan]",
                             "contributions move on by one rank, and a scan without rank 0",
                             exscan_by_scan),
        variant_of_operation("MPI_Reduce_scatter_block[by MPI_Alltoall]", exchanged,
                             reduce_scatter_block_by_alltoall),
        variant_of_operation("MPI_Reduce_scatter[by MPI_Alltoallv]", exchanged,
                             reduce_scatter_by_alltoallv, room_for_all),
        variant_of_operation("MPI_Allgatherv[by MPI_Ibcast]",
                             "every rank broadcasts its block, all at once", allgatherv_by_ibcast),
        variant_of_operation("MPI_Alltoallv[by MPI_Iscatterv]",
                             "every rank scatters its blocks, all at once", alltoallv_by_iscatterv),
        variant_of_operation("MPI_Alltoall[by MPI_Allgather]",
                             "every rank gets the blocks for all and keeps its own",
                             alltoall_by_allgather, room_for_all),
    };
}

}  // namespace mpiaudit
