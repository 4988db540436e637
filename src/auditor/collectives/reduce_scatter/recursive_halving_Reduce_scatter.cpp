// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <vector>

#include "collectives/call/copy.h"
#include "collectives/reduce_scatter/halving.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Where the blocks of the survivors begin, those of two ranks being one.
std::vector<std::int64_t> begins_of_survivors(const Blocks& blocks, const Fold& fold) {
    std::vector<std::int64_t> begins;
    for (int survivor = 0; survivor <= fold.survivors; ++survivor)
        begins.push_back(
            blocks.begin(survivor < fold.pairs ? 2 * survivor : survivor + fold.pairs));
    return begins;
}

}  // namespace

int reduce_scatter_by_recursive_halving(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                        const Ranks& ranks) {
    if (!fits_reduce_local(blocks)) return MPI_ERR_COUNT;
    const Fold fold{ranks};
    const int rank = ranks.rank;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const Reduction reduction{input.count, input.type, op};
    if (fold.hands_over) {
        messages::send(input.address, input.count, input.type, rank + 1, Tag::data, ranks.comm);
        messages::receive(recvbuf, blocks.count(rank), blocks.type(), rank + 1, Tag::data,
                          ranks.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer memory = reduction.buffer();
    const OperandBuffer incoming = reduction.buffer();
    const Blocks result = blocks.in(memory.get());
    copy_to_oneself(input, reduction.all_of(memory.get()), ranks);
    if (fold.acts_for_two) take_over(reduction, memory.get(), incoming.get(), ranks);
    const std::vector<std::int64_t> begins = begins_of_survivors(blocks, fold);
    reduce_by_halving(reduction, Blocks::consecutive(memory.get(), begins, blocks.type()),
                      incoming.get(), fold, ranks);
    if (fold.acts_for_two)
        messages::send(result.at(rank - 1), result.count(rank - 1), result.type(), rank - 1,
                       Tag::data, ranks.comm);
    copy_to_oneself(result.message(rank), {recvbuf, blocks.count(rank), blocks.type()}, ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
