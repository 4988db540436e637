// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/console.h"
#include "small_report.h"

namespace mpiaudit {
namespace {

TEST(ModelTable, RatiosToThePredictionAndToTheLowerBound) {
    Report report = small_report();
    report.header.cost_model = {.alpha = 2e-6, .beta = 1e-10, .gamma = 5e-11};
    const auto set = [&](std::size_t problem, std::size_t contestant,
                         double median_s) -> ReportedContestant& {
        ReportedContestant& entry = report.problems[problem].contestants[contestant];
        entry.statistics->median = median_s;
        return entry;
    };
    set(0, 0, 3e-6).lower_bound_s = 2e-6;
    for (const std::size_t problem : {0U, 1U}) {
        ReportedContestant& twice = set(problem, 1, problem == 0 ? 2e-6 : 1e-3);
        twice.predicted_s = problem == 0 ? 4e-6 : 1e-3;
        twice.lower_bound_s = problem == 0 ? 0.0 : 1e-5;
    }
    EXPECT_EQ(model_table(report),
              "Against the linear model: alpha = 2.000 us, beta = 0.1, gamma = 0.05 ns/byte\n"
              "  measured time over the predicted one, and over the lower bound: median [range]\n"
              "         over predicted        over lower bound\n"
              "     -                    1.50 [1.50, 1.50]     A(m)\n"
              "  0.75 [0.50, 1.00]        100 [100, 100]       B(m)\n"
              "\n");
}

TEST(ModelTable, WhatIsFasterThanPossibleRefutesTheModel) {
    Report report = small_report();
    report.header.cost_model = {.alpha = 2e-6, .beta = 1e-10, .gamma = 5e-11};
    report.problems[0].contestants[0].statistics->median = 3e-6;
    report.problems[0].contestants[0].lower_bound_s = 4e-6;
    EXPECT_EQ(model_table(report),
              "The linear model does not fit here: alpha = 2.000 us, beta = 0.1, gamma = 0.05 "
              "ns/byte\n  1 of 1 times are below its lower bound\n\n");
    report.problems[0].contestants[0].lower_bound_s = 1e-6;
    EXPECT_TRUE(model_table(report).starts_with("Against the linear model"));
    report.header.cost_model->beta = 0;
    EXPECT_THAT(model_table(report),
                testing::HasSubstr("\n  a message or a byte of it would cost nothing\n"));
}

TEST(ModelTable, AnAuditWithoutAModelHasNone) {
    EXPECT_EQ(model_table(small_report()), "");
}

}  // namespace
}  // namespace mpiaudit
