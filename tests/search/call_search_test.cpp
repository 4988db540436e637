// SPDX-License-Identifier: BSD-3-Clause
#include "search/call_search.h"

#include <gmock/gmock.h>

#include <limits>

#include "mpi/environment.h"
#include "record/audit_record.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// A fault of all calls with these values.
calls::KnownFault fault_of(const char* call, bool ends_launch,
                           std::initializer_list<calls::Property> properties) {
    calls::KnownFault fault{.ends_launch = ends_launch};
    const calls::ChosenCall chosen = calls::parse_call(call);
    for (const calls::Property each : properties)
        fault.values[static_cast<std::size_t>(each)] = {chosen[each]};
    return fault;
}

/// The state after some calls of MPI_Bcast, which is right but for faults that are known.
record::GeneratedCalls search(std::vector<calls::KnownFault> more_known = {},
                              record::GeneratedCalls state = {.seed = 5}) {
    const ReturnedErrors returned;
    std::vector<calls::KnownFault> known = known_faults_of_library();
    known.insert(known.end(), more_known.begin(), more_known.end());
    constexpr double slow_machine_s = 300;
    CallSearch search({.operations = operations_of({"MPI_Bcast"}),
                       .hang_limit_s = slow_machine_s,
                       .known_faults = std::move(known),
                       .limit_of_audit_s = std::nullopt},
                      std::move(state), {});
    search.run(no_limit, 10);
    return search.state();
}

TEST(CallSearch, NamesCallsThatAreKnownToEndTheLaunchAndMakesNone) {
    const auto all = fault_of("operation=MPI_Bcast", true, {calls::Property::operation});
    const record::GeneratedCalls found = search({all});
    EXPECT_EQ(found.calls, 10);
    EXPECT_THAT(
        found.findings,
        Each(AllOf(Field(&record::CallFinding::what, Field(&Fault::kind, FaultKind::not_tried)),
                   Field(&record::CallFinding::is_known, true))));
    EXPECT_THAT(found.findings, Not(IsEmpty()));
}

// Two launches end during a call: the first may have damaged memory in an earlier call.
TEST(Incidents, AreFaultsOnlyOfCallsThatEndALaunchAlone) {
    const record::Incident crash{.problem = record::generated_calls_problem,
                                 .operation = "operation=MPI_Bcast counts=three root=last",
                                 .what = {FaultKind::crashes, "crashes: SIGABRT on rank 1"}};
    record::GeneratedCalls state;
    take_incident(state, crash);
    EXPECT_THAT(state.findings, IsEmpty());
    ASSERT_TRUE(state.suspect);
    EXPECT_FALSE(state.confirmed);

    // The suspect passes in the next launch.
    state.seed = 5;
    const record::GeneratedCalls passed = search({}, state);
    EXPECT_THAT(passed.findings, Each(Field(&record::CallFinding::is_known, true)));
    EXPECT_FALSE(passed.suspect);
    EXPECT_THAT(passed.unconfirmed, ElementsAre(crash.operation));

    // The suspect ends the next launch, too, whose first call it was.
    state.is_confirming = true;
    take_incident(state, crash);
    EXPECT_THAT(state.findings, IsEmpty());
    EXPECT_EQ(state.confirmed, crash.operation);
    EXPECT_EQ(state.crashes, 2);
    // No simpler call fails: the confirmed one is the finding.
    const record::GeneratedCalls confirmed = search({}, state);
    EXPECT_THAT(confirmed.findings,
                Contains(AllOf(Field(&record::CallFinding::call, crash.operation),
                               Field(&record::CallFinding::what, crash.what))));
    EXPECT_THAT(confirmed.unconfirmed, IsEmpty());

    // A simpler call has ended a launch, and again alone.
    record::Incident simpler = crash;
    simpler.operation = "operation=MPI_Bcast root=last";
    take_incident(state, simpler);
    EXPECT_THAT(state.findings, IsEmpty());
    state.is_confirming = true;
    take_incident(state, simpler);
    EXPECT_THAT(state.findings, ElementsAre(Field(&record::CallFinding::call, simpler.operation)));
    EXPECT_FALSE(state.suspect);
    EXPECT_FALSE(state.confirmed);
}

}  // namespace
}  // namespace mpiaudit
