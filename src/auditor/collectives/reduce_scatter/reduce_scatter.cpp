// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <array>
#include <utility>
#include <vector>

#include "collectives/call/limits.h"
#include "collectives/patterns/halving.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

/// Returns the first elements of the survivors' blocks; two blocks of a rank that acts for two
/// count as one.
std::vector<std::int64_t> begins_of_survivors(const Blocks& blocks, const Fold& fold) {
    std::vector<std::int64_t> begins;
    for (int survivor = 0; survivor <= fold.survivors; ++survivor)
        begins.push_back(
            blocks.begin(survivor < fold.pairs ? 2 * survivor : survivor + fold.pairs));
    return begins;
}

}  // namespace

int reduce_scatter_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                      const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    std::vector<std::int64_t> begins = {0};
    for (int rank = 0; rank < ranks.size; ++rank)
        begins.push_back(begins.back() + recvcounts[rank]);
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    return algorithm(Blocks::consecutive(input, begins, datatype), recvbuf, op, ranks);
}

int reduce_scatter_block_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                            int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    return algorithm(Blocks::equal(input, recvcount, datatype, ranks.size), recvbuf, op, ranks);
}

int reduce_scatter_by_recursive_halving(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                        const Ranks& ranks) {
    if (!total_fits_int(blocks)) return MPI_ERR_COUNT;
    const Fold fold = far_first(ranks);
    const int rank = ranks.rank;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const Reduction reduction{input.count, input.type, op};
    if (hand_over(fold, input, {recvbuf, blocks.count(rank), blocks.type()}, ranks))
        return MPI_SUCCESS;
    const OperandBuffer memory = reduction.buffer();
    const OperandBuffer incoming = reduction.buffer();
    const Blocks result = blocks.with_buffer(memory.get());
    copy_locally(input, reduction.all_of(memory.get()), ranks);
    if (fold.acts_for_two) take_over(reduction, memory.get(), incoming.get(), ranks);
    const std::vector<std::int64_t> begins = begins_of_survivors(blocks, fold);
    reduce_by_halving(reduction, Blocks::consecutive(memory.get(), begins, blocks.type()),
                      incoming.get(), fold, ranks);
    if (fold.acts_for_two) ranks.send(result.message(rank - 1), rank - 1);
    copy_locally(result.message(rank), {recvbuf, blocks.count(rank), blocks.type()}, ranks);
    return MPI_SUCCESS;
}

int reduce_scatter_in_rounds(RoundsOf rounds_of, const Blocks& blocks, void* recvbuf, MPI_Op op,
                             const Ranks& ranks) {
    if (!total_fits_int(blocks)) return MPI_ERR_COUNT;
    const HalvingRounds rounds = rounds_of(ranks.size);
    const Reduction reduction{static_cast<int>(blocks.begin(blocks.size())), blocks.type(), op};
    const Fold all{ranks, ranks.size};
    HalvedVector vector{rounds, blocks, reduction, all, ranks};
    vector.reduce_scatter();
    copy_locally(vector.own_block(), {recvbuf, blocks.count(ranks.rank), blocks.type()}, ranks);
    return MPI_SUCCESS;
}

/// A rank that hands over sends all its operands to the next rank and receives its block. The next
/// rank acts for two, and keeps the second of two blocks.
int reduce_scatter_by_bine(const Blocks& blocks, void* recvbuf, MPI_Op op, const Ranks& ranks) {
    if (!total_fits_int(blocks)) return MPI_ERR_COUNT;
    const Fold fold = far_first(ranks);
    const int rank = ranks.rank;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const TypedBuffer own{recvbuf, blocks.count(rank), blocks.type()};
    if (hand_over(fold, input, own, ranks)) return MPI_SUCCESS;
    const Reduction reduction{input.count, input.type, op};
    // The two blocks of a rank that acts for two are adjacent.
    std::vector<std::int64_t> begins = {0};
    for (int survivor = 0; survivor < fold.survivors; ++survivor)
        begins.push_back(blocks.begin(fold.position(survivor) + 1));
    const OperandBuffer of_both = fold.acts_for_two ? reduction.buffer() : OperandBuffer{};
    const void* operands = input.address;
    if (fold.acts_for_two) {
        ranks.receive({of_both.get(), input.count, input.type}, rank - 1);
        reduction.combine(operands, of_both.get());
        operands = of_both.get();
    }
    const HalvingRounds rounds = bine_rounds(fold.survivors);
    HalvedVector vector{rounds, Blocks::consecutive(operands, begins, blocks.type()), reduction,
                        fold, ranks};
    vector.reduce_scatter();
    const TypedBuffer result = vector.own_block();
    const std::array<std::int64_t, 3> begins_of_both = {0, result.count - own.count, result.count};
    const Blocks both = Blocks::consecutive(result.address, begins_of_both, blocks.type());
    copy_locally(both.message(1), own, ranks);
    if (fold.acts_for_two) ranks.send(both.message(0), rank - 1);
    return MPI_SUCCESS;
}

// Operands arrive from the ranks before this one, nearest first, and then from the last rank down
// to the one after this one. A non-commutative operator needs them separately: the former are
// combined to the left of the result, the latter in a second buffer, which is appended on the
// right.
int reduce_scatter_by_pairwise_exchange(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                        const Ranks& ranks) {
    const int rank = ranks.rank;
    const int last = ranks.size - 1;
    const bool is_in_place = blocks.buffer() == recvbuf;
    const Reduction reduction{blocks.count(rank), blocks.type(), op};
    const OperandBuffer received = reduction.buffer();
    const OperandBuffer spare = reduction.is_commutative ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer own = is_in_place ? reduction.buffer() : OperandBuffer{};
    void* result = is_in_place ? own.get() : recvbuf;
    void* incoming = received.get();
    void* higher = spare.get();
    copy_locally(blocks.message(rank), reduction.all_of(result), ranks);
    for (int step = 1; step < ranks.size; ++step) {
        const int destination = ranks.shifted(step);
        const int source = ranks.shifted(-step);
        ranks.exchange(blocks.message(destination), destination, reduction.all_of(incoming),
                       source);
        if (reduction.is_commutative || source < rank)
            reduction.combine(incoming, result);
        else if (source == last)
            std::swap(incoming, higher);
        else
            reduction.combine(incoming, higher);
    }
    if (!reduction.is_commutative && rank < last) {
        reduction.combine(result, higher);
        result = higher;
    }
    if (result != recvbuf) reduction.copy(result, recvbuf, ranks);
    return MPI_SUCCESS;
}

int reduce_scatter_by_reduction(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                const Ranks& ranks) {
    if (!total_fits_int(blocks)) return MPI_ERR_COUNT;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const Reduction reduction{input.count, input.type, op};
    const bool is_root = ranks.rank == 0;
    const OperandBuffer reduced = is_root ? reduction.buffer() : OperandBuffer{};
    reduce_along(knomial_tree<2>(ranks), reduction, input.address, reduced.get(), ranks);
    const TypedBuffer own = {recvbuf, blocks.count(ranks.rank), blocks.type()};
    if (!is_root) {
        ranks.receive(own, 0);
        return MPI_SUCCESS;
    }
    const Blocks result = blocks.with_buffer(reduced.get());
    copy_locally(result.message(0), own, ranks);
    for (int destination = 1; destination < ranks.size; ++destination)
        ranks.send(result.message(destination), destination);
    return MPI_SUCCESS;
}

int reduce_scatter_as_MPICH2004(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                const Ranks& ranks) {
    const bool is_commutative = Reduction{0, blocks.type(), op}.is_commutative;
    const auto short_reduce_scatter =
        is_commutative ? reduce_scatter_by_recursive_halving : reduce_scatter_by_recursive_doubling;
    using namespace MPICH2004_limits;
    const bool is_long =
        blocks.bytes(0, blocks.size()) >=
        (is_commutative ? long_reduce_scatter : long_noncommutative_reduce_scatter);
    const auto reduce_scatter =
        is_long ? reduce_scatter_by_pairwise_exchange : short_reduce_scatter;
    return reduce_scatter(blocks, recvbuf, op, ranks);
}

}  // namespace mpiaudit
