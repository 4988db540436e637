// SPDX-License-Identifier: BSD-3-Clause
#include "report/gate.h"

#include <gmock/gmock.h>

#include "small_report.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using testing::HasSubstr;

GateOutcome failing_for(const Report& report, const std::string& condition) {
    GateOptions options;
    options.fail_on = condition;
    return Gate(options).outcome(report);
}

TEST(Junit, ATestCaseForEachCheck) {
    Report report = small_report();
    report.header.started = "2024-01-01T00:00:00Z";
    report.header.warnings = {"a & b"};
    report.checks[0].samples->judgement.left.median = 3e-6;
    report.checks.push_back(as_remark(report.checks[0]));
    report.checks[3].verdict = Verdict::undecided;
    report.checks[3].reason = "too close";
    count_again(report);
    const GateOutcome outcome = failing_for(report, "violation");
    EXPECT_EQ(
        junit_xml(report, outcome),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"mpiaudit\">\n"
        " <testsuite name=\"Some MPI v1.2, 4 ranks\" timestamp=\"2024-01-01T00:00:00Z\" "
        "tests=\"5\" "
        "failures=\"1\" errors=\"0\" skipped=\"2\" time=\"12.340\" hostname=\"unknown\">\n"
        "  <testcase classname=\"g1\" name=\"A(m) &lt;= B(m) on same/b=10\" time=\"0.000003000\">\n"
        "   <failure type=\"violated\" message=\"A(m) &lt;= B(m) on same/b=10: 1.50 times as "
        "slow\">B(m) was 1.50 times as fast and saves 1.000 us per call: B(buffer, count, "
        "comm);&#10;mpirun -n 4 mpiaudit run --only g1</failure>\n"
        "  </testcase>\n"
        "  <testcase classname=\"g2\" name=\"B(m) &lt;= C(1) + A(m') on same/b=10\" time=\"0\" />\n"
        "  <testcase classname=\"g1\" name=\"A(m) &lt;= B(m) on two-blocks/b=1000\" time=\"0\">\n"
        "   <skipped message=\"A needs equal blocks\" />\n"
        "  </testcase>\n"
        "  <testcase classname=\"g2\" name=\"B(m) &lt;= C(1) + A(m') on two-blocks/b=1000\" "
        "time=\"0\">\n"
        "   <system-out>undecided: too close</system-out>\n"
        "  </testcase>\n"
        "  <testcase classname=\"rg1\" name=\"own_A(m) &lt;= B(m) on same/b=10\" "
        "time=\"0.000003000\">\n"
        "   <skipped message=\"a reference algorithm, no verdict on the library: slower than "
        "B(m)\" />\n"
        "  </testcase>\n"
        "  <system-out>audit of 2024-01-01T00:00:00Z&#10;warning: a &amp; b</system-out>\n"
        " </testsuite>\n"
        "</testsuites>\n");
}

TEST(Junit, WhatTheGateExcusesPassesWithAWord) {
    const Report report = small_report();
    GateOutcome outcome = failing_for(report, "ratio>2");
    EXPECT_THAT(junit_xml(report, outcome),
                HasSubstr("<system-out>violated: within the condition of the gate</system-out>"));
    std::swap(outcome.excused, outcome.tolerated);
    EXPECT_THAT(
        junit_xml(report, outcome),
        HasSubstr(
            "<system-out>violated: the operation is no slower than in the baseline</system-out>"));
}

TEST(Junit, HoldsNoCharacterThatXmlCannot) {
    Report report = small_report();
    report.checks[0].reproduce = "a\x01\"<b>&";
    EXPECT_THAT(junit_xml(report, failing_for(report, "violation")),
                HasSubstr("a?&quot;&lt;b&gt;&amp;</failure>"));
}

}  // namespace
}  // namespace mpiaudit
