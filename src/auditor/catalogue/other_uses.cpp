// SPDX-License-Identifier: BSD-3-Clause
// Defines other_uses() of operation_arrows.h: uses of operations between other layouts than their
// own.
#include <algorithm>
#include <array>
#include <memory>

#include "catalogue/bind.h"
#include "catalogue/moved.h"
#include "catalogue/operation_arrows.h"
#include "catalogue/written_calls.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

/// rooted -> replicated: the root contributes all blocks, the others none. In place, because
/// MPI_Bcast, too, leaves the data of the root where they are.
MPIAUDIT_WRITTEN_CALLS(AllgathervFromRoot, none, {
    MPI_Allgatherv(MPI_IN_PLACE, 0, type, buffer, root_counts, root_displs, type, comm);
})

/// contributed -> rooted: the root receives all blocks, the others none.
MPIAUDIT_WRITTEN_CALLS(ReduceScatterToRoot, none,
                       { MPI_Reduce_scatter(sendbuf, recvbuf, root_counts, type, op, comm); })

/// scattered -> replicated: every rank copies its block for all others first.
MPIAUDIT_WRITTEN_CALLS(AlltoallOfCopies, none, {
    for (int k = 0; k < p; ++k) memcpy(copies + k * block_bytes, sendbuf, block_bytes);
    MPI_Alltoall(copies, count, type, recvbuf, count, type, comm);
})

/// scattered -> replicated: every rank sends the same block to all.
Step alltoallv_to_all(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    BlocksOfRanks sent(instance.problem().ranks());
    std::ranges::fill(sent.counts, from.counts.front());
    return {alltoallv(from.data, blocks_of(sent), result.data, blocks_of(result), from.type,
                      instance.comm),
            result};
}

/// scattered -> rooted: every rank sends to the root only.
Step alltoallv_to_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int ranks = instance.problem().ranks();
    return {alltoallv(from.data, blocks_of(instance.root(), from.counts.front(), ranks),
                      result.data, instance.is_root() ? blocks_of(result) : blocks_of(ranks),
                      from.type, instance.comm),
            result};
}

/// rooted -> scattered: only the root sends.
Step alltoallv_from_root(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int ranks = instance.problem().ranks();
    return {alltoallv(from.data, instance.is_root() ? blocks_of(from) : blocks_of(ranks),
                      result.data, blocks_of(instance.root(), result.counts.front(), ranks),
                      from.type, instance.comm),
            result};
}

/// exclusively prefixed + own -> prefixed. MPI_Reduce_local puts its result into its right operand:
/// the prefix if the operator commutes, else a copy of the own contribution. Rank 0 has no prefix.
/// MPI_Reduce_local need not reach the memory of a device, so it gets copies on the host.
Step reduce_own(const Instance& instance, const Place& from, Layout to) {
    const Place own = instance.workspace.source({contributed, to.padded});
    Place result = instance.target(to);
    const std::size_t bytes = static_cast<std::size_t>(own.span()) * own.extent;
    const auto reduce = [count = own.span(), type = own.type, op = instance.op()](
                            const MovedPlace& left, const MovedPlace& right) {
        left.copy_there();
        right.copy_there();
        look_at(MPI_Reduce_local(left.there().data, right.there().data, count, type, op));
        right.copy_back();
    };
    const auto on_host = [](const Place& place) { return MovedPlace(place, MemoryKind::host); };
    const bool has_prefix = from.data != nullptr;
    if (has_prefix && instance.problem().op->is_commutative()) {
        result.data = from.data;
        return {[=, left = on_host(own), right = on_host(result)] { reduce(left, right); }, result};
    }
    return {[=, left = on_host(from), right = on_host(result)] {
                messages::copy(result.data, own.data, bytes);
                if (has_prefix) reduce(left, right);
            },
            result};
}

/// No rank gets the result of an allreduce before all ranks have contributed.
Step allreduce_one(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    const auto numbers = std::make_shared<std::array<int, 2>>(std::array{instance.rank(), 0});
    return {[numbers, comm = instance.comm] {
                look_at(MPI_Allreduce(&(*numbers)[0], &(*numbers)[1], 1, MPI_INT, MPI_MAX, comm));
            },
            result,
            {},
            {agreement_on(std::shared_ptr<int>(numbers, &(*numbers)[1]),
                          instance.problem().ranks() - 1, instance.rank())}};
}

}  // namespace

std::vector<Arrow> other_uses() {
    const auto row = [](const char* name, std::string_view collective, Holding from, Holding to,
                        const char* summary, Prepare prepare, unsigned needs = anything) {
        return Arrow{parse_form(name), collective, Kind::native, from, to, summary, prepare, needs};
    };
    std::vector<Arrow> all{
        row("MPI_Allgatherv", "allgather", rooted, replicated,
            "MPI_Allgatherv to which the root contributes all",
            written::prepare<AllgathervFromRoot>),
        row("MPI_Alltoall", "alltoall", scattered, replicated,
            "MPI_Alltoall of copies of the own block", written::prepare<AlltoallOfCopies>,
            equal_blocks),
        row("MPI_Alltoallv", "alltoall", scattered, replicated,
            "MPI_Alltoallv that sends the own block to all", alltoallv_to_all),
        row("MPI_Alltoallv", "alltoall", scattered, rooted,
            "MPI_Alltoallv that sends to the root only", alltoallv_to_root),
        row("MPI_Alltoallv", "alltoall", rooted, scattered,
            "MPI_Alltoallv in which only the root sends", alltoallv_from_root),
        row("MPI_Reduce_scatter", "reduce_scatter", contributed, rooted,
            "MPI_Reduce_scatter with one block, the root's", written::prepare<ReduceScatterToRoot>,
            defined_operator),
        row("MPI_Allreduce", "barrier", apart, together,
            "an allreduce of one int, used as a barrier", allreduce_one),
        row("MPI_Reduce_local", "scan", exclusively_prefixed, prefixed,
            "every rank adds its own contribution", reduce_own, defined_operator),
    };
    all[1].scratch = outgoing;
    all.back().kind = Kind::local;
    return all;
}

}  // namespace mpiaudit
