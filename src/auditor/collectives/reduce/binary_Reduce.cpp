// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "collectives/call/segments.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/tree_reduction.h"

namespace mpiaudit {
namespace {

void reduce_in_preorder(const Reduction& reduction, const void* input, void* output,
                        const Ranks& ranks) {
    const auto split = [&](int n) {
        return Blocks::split(input, reduction.count, reduction.type, n);
    };
    const int n =
        pipeline_segments(split(1).bytes(0), reduction.count, preorder_height(ranks.size));
    reduce_up(std::array{preorder_tree(ranks.position, ranks.size)}, reduction, split(n), output,
              ranks);
}

}  // namespace

int binary_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
    return reduce_in_order_of_ranks(reduce_in_preorder, sendbuf, recvbuf, {count, datatype, op},
                                    root, comm);
}

}  // namespace mpiaudit
