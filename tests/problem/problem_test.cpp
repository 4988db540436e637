// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <mpi.h>
#include <algorithm>

#include "error_message.h"
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

using testing::Contains;
using testing::ElementsAre;
using testing::StartsWith;

using Bytes = std::vector<std::byte>;

class ElementTest : public testing::TestWithParam<std::string> {
  protected:
    Bytes stored(std::uint64_t value, std::byte background) const {
        Bytes memory(element_.extent(), background);
        element_.store(memory.data(), value);
        return memory;
    }
    const Element element_{GetParam()};
};

/// Indices of the bytes that `write` changes whatever they were before.
template <class Write>
std::vector<std::size_t> changed_bytes(std::size_t size, Write write) {
    Bytes zeros(size, std::byte{0}), ones(size, std::byte{0xff});
    write(zeros.data());
    write(ones.data());
    std::vector<std::size_t> changed;
    for (std::size_t k = 0; k < size; ++k) {
        if (zeros[k] == ones[k]) changed.push_back(k);
    }
    return changed;
}

TEST_P(ElementTest, ExtentAndDataAreThoseOfTheDatatype) {
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    MPI_Type_get_extent(element_.type(), &lower, &extent);
    MPI_Type_size(element_.type(), &size);
    EXPECT_EQ(lower, 0);
    EXPECT_EQ(element_.extent(), static_cast<std::size_t>(extent));
    EXPECT_EQ(element_.data_bytes(), static_cast<std::size_t>(size));
    EXPECT_EQ(element_.name(), GetParam());
    EXPECT_EQ(Element::has_gaps(GetParam()), extent > size);
}

TEST_P(ElementTest, StoreWritesTheBytesThatMpiMovesAndNoOthers) {
    const std::size_t around = 2 * element_.extent();
    const Bytes source(element_.extent(), std::byte{0x3c});
    const auto moved = changed_bytes(around, [&](std::byte* at) {
        MPI_Sendrecv(source.data(), 1, element_.type(), 0, 0, at, 1, element_.type(), 0, 0,
                     MPI_COMM_SELF, MPI_STATUS_IGNORE);
    });
    const auto written =
        changed_bytes(around, [&](std::byte* at) { element_.store(at, 0x0123456789abcdefU); });
    // A long double has 10 bytes of data in 16 bytes that MPI moves.
    const bool has_padding = GetParam().find("long-double") != std::string::npos;
    EXPECT_EQ(std::ranges::includes(moved, written), true);
    EXPECT_EQ(written == moved, !has_padding);
    EXPECT_EQ(moved.size(), element_.data_bytes());
}

TEST_P(ElementTest, HoldsWhatWasStored) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}})
        EXPECT_TRUE(element_.holds(stored(value, std::byte{0xa5}).data(), value)) << value;
}

TEST_P(ElementTest, ValuesThatDifferInALowBitDifferInMemory) {
    constexpr std::uint64_t value = 0x0123456789abcdef;
    const Bytes memory = stored(value, std::byte{0});
    const bool is_logical = GetParam() == "c-bool" || GetParam() == "logical";
    EXPECT_GE(element_.value_bits(), is_logical ? 1 : 7);
    for (int bit = 0; bit < element_.value_bits(); ++bit) {
        const std::uint64_t other = value ^ (std::uint64_t{1} << bit);
        EXPECT_FALSE(element_.holds(memory.data(), other)) << bit;
        EXPECT_NE(stored(other, std::byte{0}), memory) << bit;
    }
}

TEST_P(ElementTest, EveryChangedBitOfTheDataIsFoundAndNoneOfTheGaps) {
    constexpr std::uint64_t value = 77;
    const auto data =
        changed_bytes(element_.extent(), [&](std::byte* at) { element_.store(at, value); });
    Bytes memory = stored(value, std::byte{0});
    for (std::size_t k = 0; k < memory.size(); ++k) {
        const bool is_data = std::ranges::find(data, k) != data.end();
        for (int bit = 0; bit < 8; ++bit) {
            memory[k] ^= std::byte{1} << bit;
            EXPECT_EQ(element_.holds(memory.data(), value), !is_data) << "byte " << k;
            memory[k] ^= std::byte{1} << bit;
        }
    }
}

TEST_P(ElementTest, DescriptionBeginsWithTheValueAndNamesEveryPart) {
    const std::string text = element_.describe(stored(1, std::byte{0xa5}).data());
    const bool is_structured = !element_.is_basic();
    EXPECT_THAT(text, StartsWith(is_structured ? "1, " : "1"));
    EXPECT_EQ(text == "1", !is_structured);
}

INSTANTIATE_TEST_SUITE_P(All, ElementTest, testing::ValuesIn(Element::names()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(ElementNames, ThoseOfBasicTypesAndOfTypesWithGaps) {
    for (const char* name : {"int", "double", "char", "byte"}) {
        EXPECT_THAT(Element::names(), Contains(name));
        EXPECT_TRUE(Element(name).is_basic());
        EXPECT_EQ(Element(name).extent(), Element(name).data_bytes());
    }
    for (const char* name :
         {"vector", "indexed", "struct", "tiled", "block", "bucket", "alternating"}) {
        EXPECT_THAT(Element::names(), Contains(name));
        EXPECT_FALSE(Element(name).is_basic());
        EXPECT_GT(Element(name).extent(), Element(name).data_bytes());
    }
}

/// The places of the ints of an element and of the next element, in ints.
TEST(ElementNames, LayoutsOfBlocksOfIntsAreTheirs) {
    const auto places = [](const char* name) {
        const Element element(name);
        std::vector<int> zeros(2 * element.extent() / sizeof(int), 0), found;
        for (const std::size_t at : {std::size_t{0}, element.extent()})
            element.store(reinterpret_cast<std::byte*>(zeros.data()) + at, 1);
        for (std::size_t i = 0; i < zeros.size(); ++i)
            if (zeros[i] != 0) found.push_back(static_cast<int>(i));
        return found;
    };
    EXPECT_THAT(places("tiled"), ElementsAre(0, 1, 3, 4, 6, 7, 9, 10));
    EXPECT_THAT(places("block"), ElementsAre(0, 1, 3, 4, 8, 9, 11, 12));
    EXPECT_THAT(places("bucket"), ElementsAre(0, 4, 5, 6, 8, 12, 13, 14));
    EXPECT_THAT(places("alternating"), ElementsAre(0, 2, 3, 4, 8, 10, 11, 12));
}

TEST(ElementNames, UnknownNameIsAnsweredWithTheNearest) {
    EXPECT_THAT(error_message([] { Element("doubel"); }),
                StartsWith("--element: unknown element type 'doubel'; did you mean 'double'?"));
}

}  // namespace
}  // namespace mpiaudit
