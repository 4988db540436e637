// SPDX-License-Identifier: BSD-3-Clause
#include "calls/properties.h"

#include <gmock/gmock.h>

#include <numeric>

#include "calls/search.h"
#include "random/random_bits.h"

namespace mpiaudit::calls {
namespace {

using testing::Eq;
using testing::HasSubstr;
using testing::IsNull;
using testing::NotNull;

const Setting everything{.ranks = 4,
                         .has_persistent = true,
                         .has_large_counts = true,
                         .has_sessions = true,
                         .has_threads = true};

std::vector<std::uint8_t> all_operations() {
    std::vector<std::uint8_t> all(operation_count);
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    return all;
}

TEST(Properties, EachEnumerationHasAsManyValuesAsItsRow) {
    const auto values = [](Property property) {
        return properties()[static_cast<std::size_t>(property)].values.size();
    };
    EXPECT_THAT(values(Property::operation), Eq(operation_count));
    EXPECT_THAT(values(Property::communicator), Eq(std::size_t(Communicator::inter) + 1));
    EXPECT_THAT(values(Property::counts), Eq(std::size_t(Counts::spike) + 1));
    EXPECT_THAT(values(Property::sent_type), Eq(std::size_t(TypeShape::by_rank) + 1));
    EXPECT_THAT(values(Property::contents), Eq(std::size_t(Contents::wrapping) + 1));
    EXPECT_THAT(values(Property::meanwhile), Eq(std::size_t(Meanwhile::freed_communicator) + 1));
    EXPECT_THAT(values(Property::repetition), Eq(std::size_t(Repetition::twelve) + 1));
}

TEST(Properties, APrintedCallIsReadAgain) {
    for (std::uint64_t k = 0; k < 2000; ++k) {
        const ChosenCall call = random_call(everything, all_operations(), mix_bits(k));
        EXPECT_THAT(parse_call(print(call)), Eq(call)) << print(call);
    }
}

TEST(Properties, AnUnknownNameIsRefusedWithTheValidOnes) {
    EXPECT_THAT(parse_call(" operation=MPI_Gather   counts=three "),
                Eq(parse_call("operation=MPI_Gather counts=three")));
    EXPECT_THAT([] { parse_call("operation=MPI_Gather counts=two"); },
                testing::ThrowsMessage<std::invalid_argument>(
                    testing::AllOf(HasSubstr("'two'"), HasSubstr("three"))));
    EXPECT_THAT([] { parse_call("operation=MPI_Gather size=3"); },
                testing::ThrowsMessage<std::invalid_argument>(HasSubstr("counts")));
}

TEST(Properties, TheFormAndTheConditionsAreNamed) {
    EXPECT_THAT(form_of(parse_call("operation=MPI_Gather")).name(), Eq("MPI_Gather"));
    EXPECT_THAT(conditions_of(parse_call("operation=MPI_Gather")), Eq(""));
    const ChosenCall call = parse_call(
        "operation=MPI_Allreduce start=nonblocking in_place=in-place counts=none "
        "basic=MPI_DOUBLE op=MPI_MAX");
    EXPECT_THAT(form_of(call).name(), Eq("MPI_Iallreduce[in place]"));
    EXPECT_THAT(conditions_of(call), Eq("no elements, MPI_DOUBLE, MPI_MAX"));
}

// Examples of what MPI 4.1 says.
TEST(Properties, TheStandardExcludesCombinations) {
    const auto reason = [](const char* text) { return obstacle(parse_call(text), everything); };
    // Section 6.9.2: logical operators are not defined for floating-point types.
    EXPECT_THAT(reason("operation=MPI_Reduce basic=MPI_DOUBLE op=MPI_LAND"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Reduce basic=MPI_C_BOOL op=MPI_LAND"), IsNull());
    // Section 6.9.4: MPI_MINLOC is defined for pairs.
    EXPECT_THAT(reason("operation=MPI_Reduce basic=MPI_2INT op=MPI_MINLOC"), IsNull());
    EXPECT_THAT(reason("operation=MPI_Reduce op=MPI_MINLOC"), NotNull());
    // Section 6.11: scans are not defined on intercommunicators, nor is MPI_IN_PLACE.
    EXPECT_THAT(reason("operation=MPI_Scan communicator=inter"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Allgather communicator=inter in_place=in-place"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Allgather communicator=inter"), IsNull());
    // Section 8.6: neighbourhood collectives need a topology.
    EXPECT_THAT(reason("operation=MPI_Neighbor_alltoall"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Neighbor_alltoall communicator=ring"), IsNull());
    // A blocking call has no request, and MPI_Gather has equal blocks.
    EXPECT_THAT(reason("operation=MPI_Gather completion=test"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Gather counts=spike"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Gatherv counts=spike"), IsNull());
    // Section 3.3.1: both sides have the same signature; a reduction has one type.
    EXPECT_THAT(reason("operation=MPI_Gather sent_type=structure"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Gather sent_type=structure received_type=structure"),
                IsNull());
    EXPECT_THAT(reason("operation=MPI_Reduce sent_type=structure op=ordered"), IsNull());
    // Sections 6.5 to 6.10: arguments that are significant at the root alone, or ignored in place.
    EXPECT_THAT(reason("operation=MPI_Gather unused_arguments=null"), IsNull());
    EXPECT_THAT(reason("operation=MPI_Bcast unused_arguments=null"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Allgather unused_arguments=null"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Allgather unused_arguments=null in_place=in-place"),
                IsNull());
    EXPECT_THAT(reason("operation=MPI_Allreduce unused_arguments=null in_place=in-place"),
                NotNull());
    // Sections 5.1.9, 6.9.7 and 7.4.3: handles are freed while an operation is pending.
    EXPECT_THAT(reason("operation=MPI_Gather meanwhile=freed-communicator"), NotNull());
    EXPECT_THAT(reason("operation=MPI_Gather meanwhile=freed-communicator start=nonblocking"),
                IsNull());
    EXPECT_THAT(reason("operation=MPI_Gather meanwhile=freed-handles start=nonblocking"),
                NotNull());
    EXPECT_THAT(reason("operation=MPI_Gather meanwhile=freed-handles start=nonblocking "
                       "sent_type=vector"),
                IsNull());
}

// Sections 11.6 and 11.3: threads and sessions depend on the launch.
TEST(Properties, TheLaunchExcludesCombinations) {
    const Setting few{.ranks = 4};
    for (const char* text :
         {"operation=MPI_Gather meanwhile=thread", "operation=MPI_Gather communicator=session"}) {
        EXPECT_THAT(obstacle(parse_call(text), few), NotNull());
        EXPECT_THAT(obstacle(parse_call(text), everything), IsNull());
    }
}

TEST(Properties, AnOlderLibraryHasFewerCalls) {
    const Setting few{.ranks = 1};
    EXPECT_THAT(obstacle(parse_call("operation=MPI_Bcast start=persistent"), few), NotNull());
    EXPECT_THAT(obstacle(parse_call("operation=MPI_Bcast start=large-count"), few), NotNull());
    EXPECT_THAT(obstacle(parse_call("operation=MPI_Bcast communicator=inter"), few), NotNull());
    EXPECT_THAT(obstacle(parse_call("operation=MPI_Bcast root=last"), few), NotNull());
}

}  // namespace
}  // namespace mpiaudit::calls
