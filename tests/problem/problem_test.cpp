// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <mpi.h>

#include "problem/element.h"
#include "problem/operator.h"
#include "problem/problem.h"
#include "problem/workspace.h"

namespace mpiaudit {
namespace {

Problem irregular() {
    Problem problem;
    problem.distribution = "mine";
    problem.block_size = 3;
    problem.counts = {3, 0, 5, 2};
    problem.root = 1;
    return problem;
}

TEST(Problem, AmountsOfTheNotationOfThePapers) {
    const Problem problem = irregular();
    EXPECT_EQ(problem.ranks(), 4);
    EXPECT_EQ(problem.total(), 10);
    EXPECT_EQ(problem.largest(), 5);
    EXPECT_EQ(problem.smallest(), 0);
    EXPECT_EQ(problem.padded_total(), 20);
    EXPECT_FALSE(problem.is_regular());
    EXPECT_EQ(problem.id(), "mine/b=3");
}

TEST(Problem, EqualBlocksAreRegular) {
    Problem problem = irregular();
    problem.counts = {4, 4};
    EXPECT_TRUE(problem.is_regular());
    EXPECT_EQ(problem.total(), problem.padded_total());
    problem.counts = {7};
    EXPECT_TRUE(problem.is_regular());
}

TEST(Problem, AmountsAreWiderThanInt) {
    Problem problem = irregular();
    problem.counts = {2'000'000'000, 1, 2'000'000'000};
    EXPECT_EQ(problem.total(), 4'000'000'001);
    EXPECT_EQ(problem.padded_total(), 6'000'000'000);
}

TEST(ElementsHeld, OfEveryRankAndAtMost) {
    const Problem problem = irregular();
    const auto held = [&](Holding holding, bool padded, int rank) {
        return elements_held(problem, {holding, padded}, rank);
    };
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(held(Holding::scattered, false, rank),
                  problem.counts[static_cast<std::size_t>(rank)]);
        EXPECT_EQ(held(Holding::scattered, true, rank), 5);
        EXPECT_EQ(held(Holding::rooted, false, rank), rank == 1 ? 10 : 0);
        EXPECT_EQ(held(Holding::rooted, true, rank), rank == 1 ? 20 : 0);
        EXPECT_EQ(held(Holding::exclusively_prefixed, false, rank), rank == 0 ? 0 : 10);
        for (const Holding everywhere : {Holding::replicated, Holding::contributed,
                                         Holding::outgoing, Holding::incoming, Holding::prefixed}) {
            EXPECT_EQ(held(everywhere, false, rank), 10) << name(everywhere);
            EXPECT_EQ(held(everywhere, true, rank), 20) << name(everywhere);
        }
    }
    EXPECT_EQ(held(Holding::scattered, false, -1), 5);
    EXPECT_EQ(held(Holding::scattered, true, -1), 5);
    EXPECT_EQ(held(Holding::rooted, false, -1), 10);
    EXPECT_EQ(held(Holding::rooted, true, -1), 20);
    EXPECT_EQ(held(Holding::exclusively_prefixed, false, -1), 10);
}

TEST(Layout, NamesOfTheNotation) {
    EXPECT_EQ(name(Layout{Holding::scattered, false}), "scattered");
    EXPECT_EQ(name(Layout{Holding::rooted, true}), "padded rooted");
    EXPECT_EQ(name(Layout{Holding::exclusively_prefixed, false}), "exclusively prefixed");
}

TEST(Oversize, FirstTotalThatDoesNotFitInt) {
    Problem problem = irregular();
    problem.counts = {2'147'483'646, 1};
    EXPECT_EQ(oversize(problem, {Holding::rooted, false}), "");
    EXPECT_EQ(oversize(problem, {Holding::scattered, true}), "");
    EXPECT_EQ(oversize(problem, {Holding::rooted, true}),
              "4294967292 elements padded rooted exceed the int counts of MPI");
    problem.counts = {2'147'483'646, 2};
    EXPECT_EQ(oversize(problem, {Holding::replicated, false}),
              "2147483648 elements replicated exceed the int counts of MPI");
    EXPECT_EQ(oversize(problem, {Holding::scattered, false}), "");
}

constexpr int distinct_ranks = 64;

/// Returns the library's combination of the contributions of two ranks, the first one on the left.
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

/// Returns the names of the operators that are defined for the type.
std::vector<std::string> operators_for(const Element& element) {
    std::vector<std::string> names = Operator::names();
    std::erase_if(names, [&](const auto& each) { return !Operator(each).is_defined_for(element); });
    return names;
}

TEST(Operator, ReductionsAreWhatTheLibraryComputesOnEveryType) {
    int reductions = 0;
    for (const std::string& name : Element::names()) {
        const Element element(name);
        for (const std::string& each : operators_for(element)) {
            const Operator op(each);
            for (const OperatorForm form : {OperatorForm::plain, OperatorForm::user_function}) {
                for (std::uint64_t key = 0; key < 20; ++key, ++reductions) {
                    std::vector<std::byte> sum(element.extent()), other(element.extent());
                    element.store(sum.data(), op.contributions(element, 0)(key));
                    // Nine ranks, since every eighth rank is marked.
                    for (int rank = 1; rank < 9; ++rank) {
                        element.store(other.data(), op.contributions(element, rank)(key));
                        MPI_Reduce_local(sum.data(), other.data(), 1, element.type(), op.op(form));
                        std::swap(sum, other);
                        // Some libraries saturate sums of short unsigned integers.
                        if (op.wraps_around(element) && rank > 1) break;
                        ASSERT_TRUE(element.holds(sum.data(), op.reductions(element, rank)(key)) ||
                                    op.wraps_around(element))
                            << name << ", " << each << ", rank " << rank << ": "
                            << element.describe(sum.data());
                    }
                }
            }
        }
    }
    EXPECT_GT(reductions, 5000);
}

TEST(Operator, TypesAndOperatorsOfApplicationsAreDefined) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(operators_for(Element("double")), (Names{"sum", "max", "min", "prod", "user-sum"}));
    EXPECT_EQ(operators_for(Element("c-bool")), (Names{"land", "lor", "lxor"}));
    EXPECT_EQ(operators_for(Element("logical")), (Names{"land", "lor", "lxor"}));
    EXPECT_EQ(operators_for(Element("double-int")), (Names{"minloc", "maxloc"}));
    EXPECT_EQ(operators_for(Element("c-double-complex")), (Names{"sum", "user-sum"}));
    EXPECT_EQ(operators_for(Element("byte")), (Names{"band", "bor", "bxor"}));
    EXPECT_EQ(operators_for(Element("char")), Names{});
    EXPECT_EQ(operators_for(Element("signed-char")),
              (Names{"sum", "max", "min", "prod", "land", "lor", "lxor", "band", "bor", "bxor",
                     "user-sum"}));
    EXPECT_EQ(operators_for(Element("vector")), Names{});
}

/// Elements hold other values on other ranks: a result that lacks a rank is found.
TEST(Operator, EveryRankOfEightChangesTheResultOfSomeElement) {
    for (const std::string& name : Element::names()) {
        const Element element(name);
        for (const std::string& each : operators_for(element)) {
            // Extreme values come from single ranks, and short elements have bits of few ranks.
            const bool is_of_bits = each.starts_with("b") && element.value_bits() <= 24;
            if (each.starts_with("m") || is_of_bits) continue;
            const Operator op(each);
            for (int last = 1; last < 8; ++last) {
                int changed = 0;
                for (std::uint64_t key = 0; key < 200; ++key) {
                    std::vector<std::byte> without(element.extent());
                    element.store(without.data(), op.reductions(element, last - 1)(key));
                    changed += !element.holds(without.data(), op.reductions(element, last)(key));
                }
                EXPECT_GT(changed, 0) << name << ", " << each << ", rank " << last;
            }
        }
    }
}

}  // namespace
}  // namespace mpiaudit
