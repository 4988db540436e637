// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../recorded_calls.h"
#include "collectives/reduce/reduce.h"
#include "messages/owned.h"
#include "messages/private_communicator.h"

namespace mpiaudit {
namespace {

/// x -> a x + b modulo a prime; `gap` is no data.
struct Affine {
    std::int64_t gap;
    std::int64_t a;
    std::int64_t b;
    bool operator==(const Affine&) const = default;
};

constexpr std::int64_t prime = 1000003;

/// First `left`, then `right`: associative, and not commutative.
Affine composed(const Affine& left, const Affine& right) {
    return {right.gap, right.a * left.a % prime, (right.a * left.b + right.b) % prime};
}

void compose(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        Affine& target = static_cast<Affine*>(right)[i];
        target = composed(static_cast<const Affine*>(left)[i], target);
    }
}

Affine contribution(int rank, int i) {
    return {-5, 3 * rank + i + 2, 7 * rank + 11 * i + 1};
}

/// The two numbers of Affine: its data start after its address.
OwnedDatatype affine_type() {
    const int two = 2;
    const MPI_Aint begin = offsetof(Affine, a);
    MPI_Datatype numbers = MPI_DATATYPE_NULL, resized = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &two, &begin, MPI_INT64_T, &numbers);
    MPI_Type_create_resized(numbers, 0, sizeof(Affine), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&numbers);
    return OwnedDatatype(resized);
}

TEST(TuwReduce, keeps_the_order_of_ranks_for_any_root) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const OwnedDatatype type = affine_type();
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(compose, 0, &op);
    private_communicator(MPI_COMM_WORLD);  // stays with it
    const test::OpenHandles before = test::open_handles();
    for (int root = 0; root < ranks; ++root)
        for (const int count : {0, 1, 2, 50})
            for (const bool is_in_place : {false, true}) {
                const auto elements = static_cast<std::size_t>(count);
                std::vector<Affine> own(elements), received(elements, Affine{-1, -2, -3}),
                    expected(elements);
                for (int i = 0; i < count; ++i) {
                    own[i] = contribution(rank, i);
                    expected[i] = contribution(0, i);
                    for (int other = 1; other < ranks; ++other)
                        expected[i] = composed(expected[i], contribution(other, i));
                }
                const std::vector<Affine> own_before = own;
                if (is_in_place && rank == root) received = own;
                const void* sent = is_in_place && rank == root ? MPI_IN_PLACE : own.data();
                TUW_Reduce(sent, rank == root ? received.data() : nullptr, count, type.get(), op,
                           root, MPI_COMM_WORLD);
                EXPECT_EQ(own, own_before);
                if (rank != root) continue;
                for (int i = 0; i < count; ++i) {
                    EXPECT_EQ(received[i].a, expected[i].a) << root << " " << i;
                    EXPECT_EQ(received[i].b, expected[i].b) << root << " " << i;
                }
            }
    EXPECT_EQ(test::open_handles(), before);
    MPI_Op_free(&op);
}

/// Adds numbers that lie one place before their addresses.
void add_before(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        static_cast<std::int64_t*>(right)[i - 1] += static_cast<std::int64_t*>(left)[i - 1];
}

TEST(TuwReduce, takes_elements_that_start_before_their_address) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
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

TEST(TuwReduce, sends_one_message_from_every_rank_but_the_root) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int root = 0; root < ranks; ++root) {
        const long before = test::messages_sent();
        int sum = -1;
        TUW_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        EXPECT_EQ(test::messages_sent() - before, rank == root ? 0 : 1);
        EXPECT_EQ(sum, rank == root ? ranks * (ranks - 1) / 2 : -1);
    }
}

}  // namespace
}  // namespace mpiaudit
