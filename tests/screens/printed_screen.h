// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "screens/fitting.h"

#include <fmt/format.h>

#include "report/findings.h"
#include "report/small_report.h"
#include "text/plain.h"

namespace mpiaudit {

/// The screen on a terminal.
inline std::string plain(const Report& report, int columns = 80, int rows = 24) {
    return fitted(first_screen(report, {.report = "report: r/report.json"}),
                  {.colour = false, .columns = columns, .rows = rows});
}

/// All rows and sentences (--all).
inline std::string whole(const Report& report) {
    return with_all(first_screen(report, {}), {.colour = false, .columns = 80});
}

/// A report with `number` operations whose checks are violated; calls of the last one lose most.
inline Report many_violated(std::size_t number) {
    Report report = small_report();
    const JudgedCheck sample = report.checks[0];
    report.checks.clear();
    for (std::size_t k = 1; k <= number; ++k) {
        JudgedCheck check = sample;
        check.guideline = "g" + std::to_string(k);
        check.left = "MPI_Operation_" + std::to_string(k) + "(m)";
        check.remedy->factor = 1.0 + static_cast<double>(k);
        check.remedy->saved_s = 1e-6 * static_cast<double>(k);
        check.remedy->left_s = 1e-6 * static_cast<double>(k + 1);
        check.remedy->instead_s = 1e-6;
        report.checks.push_back(check);
    }
    count_again(report);
    return report;
}

/// The row of the only violated operation.
inline std::string row_of(const Report& report) {
    const std::string text = plain(report);
    const std::size_t begin = text.find("\nS1 ") + 1;
    return text.substr(begin, text.find("\n", begin) - begin);
}

/// Adds a problem with this distribution and a check of an operation against B with the ratio
/// `factor`; the check holds if the ratio is 1.
inline void add_problem(Report& report, const std::string& operation,
                        const std::string& distribution, std::int64_t block_size, double factor) {
    ReportedProblem problem = report.problems.front();
    problem.problem.id = fmt::format("{}/b={}", distribution, block_size);
    problem.problem.distribution = distribution;
    problem.problem.block_size = block_size;
    problem.problem.total = 4 * block_size;
    report.problems.push_back(problem);
    JudgedCheck check = small_report().checks.front();
    check.problem = problem.problem.id;
    check.left = operation + "(m)";
    check.verdict = factor > 1.0 ? judge::Verdict::violated : judge::Verdict::holds;
    check.samples->judgement.factor = factor;
    check.samples->judgement.ratio.median = factor;
    check.remedy.reset();
    if (factor > 1.0)
        check.remedy = Remedy{"B(m)", factor, 1e-6 * (factor - 1.0), 1e-6 * factor, 1e-6};
    report.checks.push_back(check);
    count_again(report);
}

}  // namespace mpiaudit
