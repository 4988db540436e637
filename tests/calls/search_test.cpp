// SPDX-License-Identifier: BSD-3-Clause
#include "calls/search.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "random/random_bits.h"

namespace mpiaudit::calls {
namespace {

using testing::Eq;
using testing::IsNull;
using testing::Lt;

const Setting all_of_mpi{.ranks = 4,
                         .has_persistent = true,
                         .has_large_counts = true,
                         .has_sessions = true,
                         .has_threads = true};

std::vector<std::uint8_t> every_operation() {
    std::vector<std::uint8_t> all(operation_count);
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    return all;
}

TEST(PairCoverage, SomeThousandValidCallsHaveAllPairs) {
    PairCoverage coverage(all_of_mpi, every_operation());
    int calls = 0;
    for (; coverage.covered() < coverage.valid() && calls < 10000; ++calls) {
        const ChosenCall call = coverage.next(mix_bits(7, static_cast<std::uint64_t>(calls)));
        ASSERT_THAT(obstacle(call, all_of_mpi), IsNull()) << print(call);
        coverage.add(call);
    }
    EXPECT_THAT(coverage.covered(), Eq(coverage.valid()));
    // Each of some 120 forms needs a call with each of 43 types.
    EXPECT_THAT(calls, Lt(9000));
}

// Random calls find no valid pair that the coverage does not know.
TEST(PairCoverage, ValidPairsAreCounted) {
    PairCoverage coverage(all_of_mpi, every_operation());
    const std::size_t known = coverage.valid();
    for (std::uint64_t k = 0; k < 20000; ++k)
        coverage.add(random_call(all_of_mpi, every_operation(), mix_bits(11, k)));
    EXPECT_THAT(coverage.valid(), Eq(known));
}

TEST(Shrink, FindsTheTwoConditionsOfAFault) {
    const ChosenCall simplest =
        parse_call("operation=MPI_Allgatherv start=nonblocking received_type=vector");
    const auto fails = [&](const ChosenCall& call) {
        return call.start() == CallStart::nonblocking && call.received_type() == TypeShape::vector;
    };
    int shrunk = 0;
    for (std::uint64_t k = 0; k < 20000; ++k) {
        ChosenCall call = random_call(all_of_mpi, every_operation(), mix_bits(13, k));
        call[Property::operation] = simplest[Property::operation];
        if (obstacle(call, all_of_mpi) != nullptr || !fails(call)) continue;
        ++shrunk;
        EXPECT_THAT(print(shrink(call, all_of_mpi, fails)), Eq(print(simplest)));
    }
    EXPECT_THAT(shrunk, testing::Gt(20));
}

// A call that hangs costs a launch, a call that passes nearly nothing.
TEST(Shrink, FindsTwoConditionsWithOneFailingCall) {
    const ChosenCall failing = parse_call(
        "operation=MPI_Allgatherv start=nonblocking completion=test communicator=world "
        "counts=three displacements=gaps buffers=unaligned received_type=vector basic=MPI_DOUBLE "
        "arrival=last-late repetition=thrice");
    int failures = 0;
    const ChosenCall simplest = shrink(failing, all_of_mpi, [&](const ChosenCall& call) {
        const bool fails =
            call.counts() == Counts::three && call.received_type() == TypeShape::vector;
        failures += fails;
        return fails;
    });
    EXPECT_THAT(print(simplest), Eq("operation=MPI_Allgatherv counts=three received_type=vector"));
    EXPECT_THAT(failures, Eq(1));
}

TEST(WithoutConditionsOf, LeavesOutOneOfThem) {
    const ChosenCall simplest =
        parse_call("operation=MPI_Gather communicator=inter received_type=vector");
    const ChosenCall call =
        parse_call("operation=MPI_Gather communicator=inter counts=odd received_type=vector");
    std::set<std::string> others;
    for (std::uint64_t k = 0; k < 50; ++k)
        others.insert(print(*without_conditions_of(call, simplest, all_of_mpi, mix_bits(k))));
    EXPECT_THAT(others,
                testing::ElementsAre("operation=MPI_Gather communicator=inter counts=odd",
                                     "operation=MPI_Gather counts=odd received_type=vector"));
    const ChosenCall any = parse_call("operation=MPI_Gather");
    EXPECT_FALSE(without_conditions_of(call, any, all_of_mpi, 1));
}

// A rank that is a second late makes a search slow.
TEST(RandomCall, HasARareValueRarely) {
    int rare = 0;
    for (std::uint64_t k = 0; k < 100'000; ++k) {
        const ChosenCall call = random_call(all_of_mpi, every_operation(), mix_bits(19, k));
        rare += call.arrival() == Arrival::first_second_late ? 1 : 0;
    }
    EXPECT_THAT(rare, testing::AllOf(testing::Gt(2), testing::Lt(60)));
}

// Three values of one operation together need more than pairs of two properties.
TEST(PairCoverage, LaterCallsHaveThePairsOfEachForm) {
    const Setting setting{.ranks = 2};
    const std::vector<std::uint8_t> bcast{parse_call("operation=MPI_Bcast").values[0]};
    PairCoverage coverage(setting, bcast);
    std::set<std::pair<std::uint8_t, std::uint8_t>> pairs;
    for (std::uint64_t k = 0; k < 1500; ++k) {
        const ChosenCall call = coverage.next(mix_bits(23, k));
        coverage.add(call);
        if (call.start() == CallStart::nonblocking)
            pairs.emplace(call[Property::sent_type], call[Property::counts]);
    }
    // All but the irregular counts, with each type.
    EXPECT_THAT(pairs.size(), Eq(7 * (std::size_t(TypeShape::by_rank) + 1)));
}

TEST(Shrink, KeepsTheCallValid) {
    // The simplest communicator of a neighbourhood collective is the first one with a topology.
    const ChosenCall call = parse_call(
        "operation=MPI_Neighbor_allgather communicator=star counts=odd basic=MPI_DOUBLE");
    EXPECT_THAT(print(shrink(call, all_of_mpi, [](const ChosenCall&) { return true; })),
                Eq("operation=MPI_Neighbor_allgather communicator=ring"));
}

TEST(HasConditionsOf, AddsConditionsButNoOtherOperation) {
    const ChosenCall simplest = parse_call("operation=MPI_Gather communicator=inter");
    const auto has = [&](const char* text) {
        return has_conditions_of(parse_call(text), simplest, simplest);
    };
    EXPECT_TRUE(has("operation=MPI_Gather communicator=inter counts=three"));
    EXPECT_FALSE(has("operation=MPI_Gather counts=three"));
    EXPECT_FALSE(has("operation=MPI_Scatter communicator=inter"));
}

// Two types fail, so that every type but the simplest one is suspected.
TEST(HasConditionsOf, GeneralisesFromTwoValues) {
    const ChosenCall simplest = parse_call("operation=MPI_Gather sent_type=contiguous"),
                     origin = parse_call("operation=MPI_Gather sent_type=nested");
    EXPECT_TRUE(
        has_conditions_of(parse_call("operation=MPI_Gather sent_type=vector"), simplest, origin));
    EXPECT_FALSE(has_conditions_of(parse_call("operation=MPI_Gather"), simplest, origin));
}

}  // namespace
}  // namespace mpiaudit::calls
