// SPDX-License-Identifier: BSD-3-Clause
#include "calls/known_faults.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "calls/search.h"
#include "calls/sizes.h"
#include "error_message.h"
#include "files/files.h"
#include "report/known_forms.h"

namespace mpiaudit::calls {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

bool is_known(const char* library, const std::string& call, int ranks = 3) {
    return std::ranges::any_of(known_faults_of(library), [&](const KnownFault& each) {
        return each.has(parse_call(call), ranks);
    });
}

TEST(KnownFaults, DependOnTheVersionAndOnTheConditions) {
    const char* const saturated =
        "operation=MPI_Scan counts=large basic=MPI_UINT8_T contents=wrapping";
    EXPECT_TRUE(is_known("Open MPI v4.1.4", saturated));
    EXPECT_FALSE(is_known("Open MPI v4.2.0", saturated));
    EXPECT_FALSE(is_known("Open MPI v4.1.4", "operation=MPI_Scan counts=large basic=MPI_UINT8_T"));
    EXPECT_TRUE(known_faults_of("MPICH 3.0.0").empty());
    const char* const compared = "operation=MPI_Scan basic=MPI_UINT32_T op=MPI_MIN";
    EXPECT_TRUE(is_known("MPICH 4.0.2", compared));
    EXPECT_TRUE(is_known("MPICH 4.0", compared));
    EXPECT_FALSE(is_known("MPICH 4.2.1", compared));
    EXPECT_FALSE(is_known("MPICH 4.0.2", "operation=MPI_Scan basic=MPI_INT32_T op=MPI_MIN"));
    EXPECT_TRUE(is_known("MPICH 4.2.1", "operation=MPI_Gather start=persistent counts=three"));
    const char* const absolute = "operation=MPI_Scatterv start=nonblocking buffers=bottom";
    EXPECT_TRUE(is_known("Open MPI v4.1.2", absolute));
    EXPECT_FALSE(is_known("Open MPI v4.1.4", absolute));
    // The pending operation is the same operation, and nonblocking.
    EXPECT_TRUE(is_known("Open MPI v4.1.4",
                         "operation=MPI_Alltoallw communicator=box meanwhile=same-operation"));
    EXPECT_FALSE(is_known("Open MPI v4.1.4", "operation=MPI_Alltoallw communicator=box"));
    const std::string interleaved = "operation=MPI_Allgather counts=three sent_type=interleaved";
    EXPECT_TRUE(is_known("Open MPI v6.0.0rc2", interleaved + " communicator=inter"));
    EXPECT_FALSE(is_known("Open MPI v6.0.0rc2", interleaved));
    // Another function of the library, which is right.
    EXPECT_FALSE(
        is_known("Open MPI v6.0.0rc2", interleaved + " communicator=inter start=nonblocking"));
}

TEST(KnownFaults, DependOnTheNumberOfRanks) {
    const char* const ring = "operation=MPI_Neighbor_alltoall start=nonblocking communicator=ring";
    EXPECT_TRUE(is_known("Open MPI v4.1.4", ring, 2));
    EXPECT_FALSE(is_known("Open MPI v4.1.4", ring, 3));
    const char* const pending =
        "operation=MPI_Barrier start=nonblocking communicator=inter meanwhile=bcast";
    EXPECT_TRUE(is_known("Open MPI v4.1.4", pending, 4));
    EXPECT_FALSE(is_known("Open MPI v4.1.4", pending, 3));
}

TEST(KnownFaults, HaveASimplestCallOfTheOperation) {
    const ChosenCall call = parse_call(
        "operation=MPI_Allreduce start=nonblocking counts=three meanwhile=freed-communicator");
    std::vector<std::string> simplest;
    for (const KnownFault& each : known_faults_of("Open MPI v4.1.4"))
        if (each.has(call, 3)) simplest.push_back(print(each.simplest_like(call)));
    EXPECT_THAT(
        simplest,
        ElementsAre("operation=MPI_Allreduce start=nonblocking meanwhile=freed-communicator"));
}

/// A file with one fault, which has `keys` in place of its own.
library_faults::File file_with(const std::string& keys) {
    return {"my.json", fmt::format(R"({{"title": "x", "faults": [
  {{
    "library": "MPICH", "releases": [{{"first": "4.0", "last": "4.0.2"}}], "effect": "wrong",
    "call": "operation=MPI_Gather communicator=self", "call_ranks": 2,
    {}
  }}
]}})",
                                   keys)};
}
std::string error_of(const std::string& keys) {
    return error_message([&] { known_faults_of("MPICH 4.0.2", file_with(keys)); });
}

TEST(KnownFaults, AreReadWithTheirLimits) {
    const auto faults = known_faults_of(
        "MPICH 4.0.1",
        file_with(
            R"("when": {"operation": ["MPI_Gather", "MPI_Scatter"]}, "at_most": {"ranks": 1})"));
    ASSERT_EQ(faults.size(), 1);
    const auto has = [&](const char* call, int ranks) {
        return faults[0].has(parse_call(call), ranks);
    };
    EXPECT_TRUE(has("operation=MPI_Scatter", 1));
    EXPECT_FALSE(has("operation=MPI_Scatter", 2));
    EXPECT_TRUE(has("operation=MPI_Scatter communicator=self", 5));
    EXPECT_TRUE(has("operation=MPI_Scatter communicator=disjoint-groups", 3));
    EXPECT_FALSE(has("operation=MPI_Scatter communicator=disjoint-groups", 4));
    EXPECT_FALSE(has("operation=MPI_Bcast", 1));
    EXPECT_TRUE(
        known_faults_of("MPICH 4.0a1", file_with(R"("when": {"op": ["MPI_SUM"]})")).empty());
    EXPECT_TRUE(
        known_faults_of("Open MPI v4.0.1", file_with(R"("when": {"op": ["MPI_SUM"]})")).empty());
}

TEST(KnownFaults, ThatTheReaderDoesNotKnowAreRefusedWithTheirLine) {
    EXPECT_THAT(error_of(R"("whem": {"op": ["MPI_SUM"]})"),
                AllOf(StartsWith("my.json:2: "), HasSubstr("'whem'; did you mean 'when'")));
    EXPECT_THAT(error_of(R"("when": {"count": ["three"]})"),
                AllOf(StartsWith("my.json:2: "), HasSubstr("'count'; did you mean 'counts'")));
    EXPECT_THAT(error_of(R"("when": {"counts": ["thre"]})"),
                AllOf(StartsWith("my.json:2: "), HasSubstr("'thre'; did you mean 'three'")));
    EXPECT_THAT(error_of(R"("when": {"counts": "three"})"), HasSubstr("must be an array"));
    EXPECT_THAT(error_of(R"("when": {"op": ["MPI_SUM"]}, "at_most": {"rank": 1})"),
                HasSubstr("'rank'; did you mean 'ranks'"));
    // The evidence does not cover the conditions.
    EXPECT_THAT(error_of(R"("when": {"operation": ["MPI_Scatter"]})"),
                AllOf(StartsWith("my.json:2: "), HasSubstr("does not meet the conditions")));
    library_faults::File file = file_with(R"("when": {"op": ["MPI_SUM"]})");
    EXPECT_EQ(known_faults_of("MPICH 4.0.2", file).size(), 1);
    for (const auto& [right, wrong, message] :
         {std::tuple{"MPICH", "MPIHC", "must be one of Open MPI, MPICH"},
          {"\"wrong\"", "\"strange\"", "must be one of wrong, ends the launch"},
          {"4.0.2", "newest", "must be a release such as"},
          {"4.0.2", "5.0", "releases of one series"},
          {"\"faults\"", "\"fault\"", "did you mean 'faults'"}}) {
        library_faults::File changed = file;
        changed.text.replace(changed.text.find(right), std::string(right).size(), wrong);
        EXPECT_THAT(error_message([&] { known_faults_of("", changed); }),
                    AllOf(StartsWith("my.json"), HasSubstr(message)));
    }
}

TEST(KnownFaults, ThatComeWithMpiauditNameProgramsThatExist) {
    const std::string folder = std::string(SOURCE_DIR) + "/results/reference/libraries/";
    for (const library_faults::Fault& each : library_faults::read(library_faults::shipped())) {
        if (each.program.empty()) continue;
        EXPECT_NE(read_file(folder + each.program), "") << each.place;
    }
}

/// A report has no generated calls, and reads the forms of a fault by itself.
TEST(KnownFaults, HaveTheFormsOfTheirCalls) {
    const auto values = [](Property property) {
        return properties()[static_cast<std::size_t>(property)].values;
    };
    for (const Value& start : values(Property::start)) {
        for (const Value& place : values(Property::in_place)) {
            library_faults::Fault fault;
            fault.when = {
                {"operation", {"MPI_Gather"}}, {"start", {start.name}}, {"in_place", {place.name}}};
            const ChosenCall call = parse_call(
                fmt::format("operation=MPI_Gather start={} in_place={}", start.name, place.name));
            EXPECT_THAT(forms_of(fault), ElementsAre(form_of(call).name()));
        }
    }
}

// The sizes are those of the communicators that the library makes: generated_call_test.cpp.
TEST(Sizes, OfCommunicators) {
    EXPECT_EQ(fewest_ranks(Communicator::rows, 4), 2);
    EXPECT_EQ(fewest_ranks(Communicator::inter, 5), 2);
    EXPECT_EQ(shortest_periodic(Communicator::torus, 5), 1);
    EXPECT_EQ(shortest_periodic(Communicator::torus, 9), 3);
    EXPECT_EQ(shortest_periodic(Communicator::line, 1), std::nullopt);
}

}  // namespace
}  // namespace mpiaudit::calls
