// SPDX-License-Identifier: BSD-3-Clause
#include "problem/operator.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include "problem/element.h"

namespace mpiaudit {
namespace {

constexpr int distinct_ranks = 64;

/// What the library makes of the contributions of two ranks, the first one on the left.
int combined(const Operator& op, const Element& element, int first, int second) {
    constexpr std::uint64_t key = 5;
    auto left = static_cast<int>(op.contributions(element, first)(key));
    auto right = static_cast<int>(op.contributions(element, second)(key));
    MPI_Reduce_local(&left, &right, 1, MPI_INT, op.op());
    return right;
}

TEST(Operator, AffineTellsTheOrderOfAnyTwoRanks) {
    const Element element("int");
    const Operator op("user-affine");
    for (int first = 0; first < distinct_ranks; ++first) {
        for (int second = 0; second < first; ++second)
            EXPECT_NE(combined(op, element, first, second), combined(op, element, second, first))
                << first << ", " << second;
    }
}

TEST(Operator, TheOthersDoNotDependOnTheOrder) {
    const Element element("int");
    for (const char* name : {"sum", "max", "bor", "user-sum"}) {
        const Operator op(name);
        EXPECT_TRUE(op.is_commutative());
        EXPECT_EQ(combined(op, element, 3, 8), combined(op, element, 8, 3)) << name;
    }
}

TEST(Operator, ReductionOfTwoRanksIsWhatTheLibraryComputes) {
    const Element element("int");
    for (const std::string& name : Operator::names()) {
        const Operator op(name);
        EXPECT_EQ(static_cast<int>(op.reductions(element, 1)(5)), combined(op, element, 0, 1))
            << name;
    }
}

}  // namespace
}  // namespace mpiaudit
