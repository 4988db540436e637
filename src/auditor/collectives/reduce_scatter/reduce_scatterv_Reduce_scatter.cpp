// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"
#include "messages/messages.h"

namespace mpiaudit {

int reduce_scatter_by_reduction(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                const Ranks& ranks) {
    if (!fits_reduce_local(blocks)) return MPI_ERR_COUNT;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const Reduction reduction{input.count, input.type, op};
    const bool is_root = ranks.rank == 0;
    const OperandBuffer reduced = is_root ? reduction.buffer() : OperandBuffer{};
    reduce_by_binomial_tree(reduction, input.address, reduced.get(), ranks);
    const TypedBuffer own = {recvbuf, blocks.count(ranks.rank), blocks.type()};
    if (!is_root) {
        messages::receive(own.address, own.count, own.type, 0, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const Blocks result = blocks.in(reduced.get());
    copy_to_oneself(result.message(0), own, ranks);
    for (int destination = 1; destination < ranks.size; ++destination)
        messages::send(result.at(destination), result.count(destination), result.type(),
                       destination, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
