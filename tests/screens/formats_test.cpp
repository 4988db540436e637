// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "error_message.h"
#include "report/gate.h"
#include "report/report.h"
#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/formats.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;

using judge::Verdict;

TEST(Junit, ATestCaseForEachCheck) {
    Report report = small_report();
    report.header.started = "2024-01-01T00:00:00Z";
    report.header.warnings = {"a\x01\"<b>&"};
    report.checks[0].samples->judgement.left.median = 3e-6;
    report.checks.push_back(as_remark(report.checks[0]));
    report.checks[3].verdict = Verdict::undecided;
    report.checks[3].reason = Reason{ReasonKind::does_not_fit, "too close"};
    count_again(report);
    const GateOutcome outcome = outcome_of_gate(report, asking_for("violation"));
    EXPECT_EQ(
        writers::junit(report, outcome),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"mpiaudit\">\n"
        " <testsuite name=\"Some MPI v1.2, 4 ranks\" timestamp=\"2024-01-01T00:00:00Z\" "
        "tests=\"6\" "
        "failures=\"2\" errors=\"0\" skipped=\"2\" time=\"12.340\" hostname=\"unknown\">\n"
        "  <testcase classname=\"wrong result\" name=\"C + A\" time=\"0\">\n"
        "   <failure type=\"wrong\" message=\"C(1) + A(m') gives a wrong result on "
        "two-blocks/b=1000: rank 2, rooted: element 0 of block 3 is 5, not 7\">mpirun -n 4 "
        "mpiaudit "
        "verify --collectives C,A --distributions two-blocks --block-sizes 1000 --element int --op "
        "sum --root 0</failure>\n"
        "  </testcase>\n"
        "  <testcase classname=\"g1\" name=\"A(m) &lt;= B(m) on same/b=10\" time=\"0.000003000\">\n"
        "   <failure type=\"violated\" message=\"A(m) &lt;= B(m) on same/b=10: 1.50 times as "
        "long as B(m) at 40\u00a0B; a call loses 1 µs\">Instead: B(m)&#10;mpirun -n 4 mpiaudit run "
        "--guidelines "
        "irregular --only g1 --distributions same --block-sizes 10</failure>\n"
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
        "  <system-out>audit of 2024-01-01T00:00:00Z&#10;warning: "
        "a?&quot;&lt;b&gt;&amp;</system-out>\n"
        " </testsuite>\n"
        "</testsuites>\n");
}

TEST(Markdown, HasTheAnswerTheRowsACommandAndTheWarnings) {
    Report report = small_report();
    report.header.started = "2024-01-01T00:00:00Z";
    report.header.warnings = {"a_b"};
    report.header.command = {"m```", "run"};
    report.checks[0].left = "A[x](m)";
    report.checks.push_back(as_remark(report.checks[0]));
    count_again(report);
    EXPECT_EQ(writers::markdown(report, outcome_of_gate(report, asking_for("never"))),
              R"(## Some MPI v1.2, 4 ranks, single launch, 2024-01-01 00:00

SLOW: 1 of 2 blocking operations

**WRONG: C(1) + A(m') gives a wrong result on two-blocks/b=1000: rank 2, rooted: element 0 of block 3 is 5, not 7**

```sh
mpirun -n 4 'm'''' verify --collectives C,A --distributions two-blocks --block-sizes 1000 --element int --op sum --root 0
```

| | Operation | takes, us | instead | lost | worst times | slow at | do instead |
| :-- | :-- | --: | --: | --: | --: | :-- | :-- |
| S1 | A\[x\] | 3.00 | 2.00 | 1.00 | 1.50 | 40B | B |

warning: a\_b

Sure: one launch, another may differ (mpiaudit run --confirm FOLDER)

Violated means more than 5 % slower, with enough evidence that the chance of any false violation in the whole audit is at most 5 %.

To measure the first rows again:

```sh
mpirun -n 4 'm'''' run --guidelines irregular --only g1 --distributions same --block-sizes 10
```

1 more check is about reference algorithms, which come with mpiaudit: 1 found one slower than another way. That is no violation of the library.

)");
}

TEST(Markdown, SaysWhatBecameOfTheBaselineAndOfAnAuditThatWasInterrupted) {
    Report report = small_report();
    report.is_complete = false;
    report.header.planned_problems = 7;
    GateOutcome outcome = outcome_of_gate(report, asking_for("never"));
    outcome.beside_baseline = BeforeAfter{.changes = {{"A", 1.5}}, .missing = {}, .common = 1};
    const std::string text = writers::markdown(report, outcome);
    EXPECT_THAT(text, HasSubstr("\n\nThe audit is not complete: 2 of 7 problems measured.\n\n"));
    EXPECT_THAT(text, HasSubstr("\n\nThe baseline is A, this audit B: A is 1.50 times slower\n\n"));
}

TEST(Github, AnErrorForWhatFailsAndAWarningForTheRest) {
    Report report = small_report();
    const std::string wrong =
        "title=Wrong result of MPI::C(1) + A(m') gives a wrong result on "
        "two-blocks/b=1000: rank 2, rooted: element 0 of block 3 is 5, not 7\n";
    const std::string slow =
        " title=Slow operation of MPI::A: 1.50 times as long as B(m) at "
        "40\u00a0B; a call loses 1 µs. Instead: B.\n";
    EXPECT_EQ(writers::github(report, outcome_of_gate(report, asking_for("violation"))),
              "::error " + wrong + "::error" + slow);
    GateOutcome excused = outcome_of_gate(report, asking_for("ratio>2"));
    excused.excused_wrong.swap(excused.wrong);
    EXPECT_EQ(writers::github(report, excused), "::warning " + wrong + "::warning" + slow);
}

TEST(Junit, WhatTheGateExcusesPassesWithAWord) {
    const Report report = small_report();
    GateOutcome outcome = outcome_of_gate(report, asking_for("ratio>2"));
    EXPECT_THAT(writers::junit(report, outcome),
                HasSubstr("<system-out>violated: within the condition of the gate</system-out>"));
    std::swap(outcome.excused, outcome.tolerated);
    EXPECT_THAT(
        writers::junit(report, outcome),
        HasSubstr(
            "<system-out>violated: the operation is no slower than in the baseline</system-out>"));
}

}  // namespace
}  // namespace mpiaudit
