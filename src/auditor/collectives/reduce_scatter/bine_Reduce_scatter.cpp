// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/reduce_scatter/halving_rounds.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"

namespace mpiaudit {

int reduce_scatter_by_bine(const Blocks& blocks, void* recvbuf, MPI_Op op, const Ranks& ranks) {
    if (!fits_reduce_local(blocks)) return MPI_ERR_COUNT;
    const Fold fold{ranks};
    const int rank = ranks.rank;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const TypedBuffer own{recvbuf, blocks.count(rank), blocks.type()};
    if (fold.hands_over) {
        messages::send(input.address, input.count, input.type, rank + 1, Tag::data, ranks.comm);
        messages::receive(own.address, own.count, own.type, rank + 1, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const Reduction reduction{input.count, input.type, op};
    // Those of a rank that acts for two are beside each other.
    std::vector<std::int64_t> begins = {0};
    for (int survivor = 0; survivor < fold.survivors; ++survivor)
        begins.push_back(blocks.begin(fold.position(survivor) + 1));
    const OperandBuffer of_both = fold.acts_for_two ? reduction.buffer() : OperandBuffer{};
    const void* operands = input.address;
    if (fold.acts_for_two) {
        messages::receive(of_both.get(), input.count, input.type, rank - 1, Tag::data, ranks.comm);
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
    copy_to_oneself(both.message(1), own, ranks);
    if (fold.acts_for_two)
        messages::send(both.at(0), both.count(0), both.type(), rank - 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
