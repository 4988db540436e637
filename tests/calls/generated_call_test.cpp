// SPDX-License-Identifier: BSD-3-Clause
#include "calls/generated_call.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "../world.h"
#include "calls/group.h"
#include "calls/known_faults.h"
#include "calls/search.h"
#include "calls/sizes.h"
#include "mpi/environment.h"
#include "random/random_bits.h"

namespace mpiaudit::calls {
namespace {

/// Returns whether the library is known to fail in the call.
bool is_known_to_fail(const ChosenCall& call) {
    static const auto faults = known_faults_of(Environment::name_of_library());
    return std::ranges::any_of(
        faults, [&](const KnownFault& each) { return each.has(call, ranks_of_world()); });
}

// Operations, types and communicators in which no library of the tests is known to be wrong.
TEST(GeneratedCall, CallsOfARightLibraryPass) {
    Groups groups;
    const Setting setting = setting_of_launch();
    std::vector<std::uint8_t> operations;
    for (std::size_t i = 0; i < operation_count; ++i)
        if (mpi_operations[i].collective == "bcast" || mpi_operations[i].collective == "scatter" ||
            mpi_operations[i].collective == "gather")
            operations.push_back(static_cast<std::uint8_t>(i));
    for (std::uint64_t k = 0; k < 400; ++k) {
        ChosenCall call = random_call(setting, operations, mix_bits(17, k));
        // Open MPI 4.1.4 has known faults on intercommunicators and if types differ by rank, MPICH
        // 4.0.2 in persistent operations.
        if (call.counts() == Counts::large || call.start() == CallStart::persistent ||
            call.communicator() == Communicator::inter ||
            call.meanwhile() == Meanwhile::freed_communicator ||
            call.sent_type() == TypeShape::by_rank || call.received_type() == TypeShape::by_rank ||
            is_known_to_fail(call))
            continue;
        const auto fault = perform(call, groups, k);
        EXPECT_FALSE(fault) << print(call) << ": " << fault->text;
    }
    groups.clear();
}

TEST(Sizes, AreThoseOfTheCommunicatorsThatAreMade) {
    for (int each = 0; each <= static_cast<int>(Communicator::inter); ++each) {
        ChosenCall call;
        call[Property::communicator] = static_cast<std::uint8_t>(each);
        const auto communicator = static_cast<Communicator>(each);
        if (obstacle(call, setting_of_launch()) != nullptr) continue;
        const Group group = make_group(communicator);
        int size = group.has_this_rank ? group.size : ranks_of_world();
        MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        EXPECT_EQ(size, fewest_ranks(communicator, ranks_of_world())) << each;
    }
}

TEST(GeneratedCall, EachValueOfAPropertyPasses) {
    Groups groups;
    const Setting setting = setting_of_launch();
    for (const Property property :
         {Property::communicator, Property::sent_type, Property::received_type,
          Property::unused_arguments, Property::arrival, Property::meanwhile, Property::contents})
        for (const char* text :
             {"operation=MPI_Gather counts=three", "operation=MPI_Scatter counts=three",
              "operation=MPI_Bcast counts=three start=nonblocking", "operation=MPI_Barrier",
              "operation=MPI_Neighbor_allgather communicator=ring",
              "operation=MPI_Neighbor_alltoall communicator=multigraph"}) {
            ChosenCall call = parse_call(text);
            const auto& row = properties()[static_cast<std::size_t>(property)];
            for (std::uint8_t value = 0; value < row.values.size(); ++value) {
                call[property] = value;
                if (obstacle(call, setting) != nullptr || is_known_to_fail(call)) continue;
                const auto fault = perform(call, groups, value);
                EXPECT_FALSE(fault) << print(call) << ": " << fault->text;
            }
        }
    groups.clear();
}

TEST(GeneratedCall, ResultsOfReductionsAreComputedWithoutTheLibrary) {
    Groups groups;
    for (const char* text :
         {"operation=MPI_Allreduce counts=three",
          "operation=MPI_Allreduce basic=MPI_DOUBLE "
          "contents=rounding counts=above-power-of-two",
          "operation=MPI_Reduce root=last op=MPI_MINLOC basic=MPI_DOUBLE_INT counts=three",
          "operation=MPI_Scan op=ordered counts=three", "operation=MPI_Exscan op=commutative",
          "operation=MPI_Reduce_scatter counts=increasing in_place=in-place",
          "operation=MPI_Allreduce counts=odd sent_type=structure basic=MPI_DOUBLE op=ordered",
          "operation=MPI_Allreduce counts=three basic=MPI_DOUBLE contents=negative-zero",
          "operation=MPI_Reduce_scatter_block counts=three basic=MPI_C_DOUBLE_COMPLEX "
          "op=MPI_PROD"}) {
        const ChosenCall call = parse_call(text);
        if (obstacle(call, setting_of_launch()) != nullptr || is_known_to_fail(call)) continue;
        const auto fault = perform(call, groups, 3);
        EXPECT_FALSE(fault) << text << ": " << fault->text;
    }
    groups.clear();
}

TEST(GeneratedCall, SignsOfZerosInComplexProductsDependOnTheOrder) {
    Groups groups;
    const ChosenCall call =
        parse_call("operation=MPI_Scan counts=power-of-two basic=MPI_C_FLOAT_COMPLEX op=MPI_PROD");
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto fault = perform(call, groups, seed);
        EXPECT_FALSE(fault) << fault->text;
    }
    groups.clear();
}

// MPICH 4.0.2 writes the elements of the root again, and not the padding of a long double.
TEST(GeneratedCall, PaddingOfSentElementsMayChange) {
    Groups groups;
    for (const char* text :
         {"operation=MPI_Bcast received_type=vector basic=MPI_LONG_DOUBLE root=last",
          "operation=MPI_Bcast received_type=vector basic=MPI_SHORT_INT root=last"}) {
        const ChosenCall call = parse_call(text);
        if (obstacle(call, setting_of_launch()) != nullptr) continue;
        const auto fault = perform(call, groups, 3);
        EXPECT_FALSE(fault) << text << ": " << fault->text;
    }
    groups.clear();
}

}  // namespace
}  // namespace mpiaudit::calls
