// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "collectives/reduce/reduce.h"
#include "messages/owned.h"
#include "world.h"

namespace mpiaudit {
namespace {

/// Adds numbers that lie one place before their addresses.
void add_before(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        static_cast<std::int64_t*>(right)[i - 1] += static_cast<std::int64_t*>(left)[i - 1];
}

TEST(TuwReduce, takes_elements_that_start_before_their_address) {
    const int rank = own_rank(), ranks = ranks_of_world();
    const int one = 1;
    const MPI_Aint before = -8;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &before, MPI_INT64_T, &type);
    MPI_Type_commit(&type);
    const OwnedDatatype owned_type(type);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(add_before, 1, &op);
    const OwnedOp owned_op(op);
    const std::vector<std::int64_t> own = {rank, 10 * rank, -1};
    std::vector<std::int64_t> received(3, -1);
    TUW_Reduce(&own[1], &received[1], 2, type, op, 0, MPI_COMM_WORLD);
    const std::int64_t sum = ranks * (ranks - 1) / 2;
    EXPECT_EQ(received, rank == 0 ? (std::vector<std::int64_t>{sum, 10 * sum, -1})
                                  : (std::vector<std::int64_t>{-1, -1, -1}));
}

}  // namespace
}  // namespace mpiaudit
