// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "options/options.h"
#include "report/overview_rows.h"
#include "report/report.h"

namespace mpiaudit {

/// The same check of a reference algorithm.
inline JudgedCheck as_remark(JudgedCheck check) {
    check.kind = CheckKind::remark;
    check.guideline = "r" + check.guideline;
    check.left = "own_" + check.left;
    check.remedy.reset();
    return check;
}

/// The summary and the overview of the checks that the report has now.
inline void count_again(Report& report) {
    static_cast<VerdictCounts&>(report.summary) = {};
    report.summary.remarks = {};
    for (const JudgedCheck& check : report.checks)
        (check.kind == CheckKind::verdict ? report.summary : report.summary.remarks)
            .add(check.verdict);
    report.overview = overview_rows(report);
}

/// A report of two distributions and three contestants: on same/b=10 the guideline g1 is violated
/// by A, on two-blocks/b=1000 A does not apply and C is wrong.
inline Report small_report() {
    using judge::Verdict;
    Report report;
    report.is_complete = true;
    report.elapsed_s = 12.34;
    for (const auto& [distribution, block_size, total, padded_total] :
         {std::tuple{"same", 10, 40, 40}, {"two-blocks", 1000, 2000, 4000}}) {
        ReportedProblem& of = report.problems.emplace_back();
        of.problem.id = distribution + ("/b=" + std::to_string(block_size));
        of.problem.distribution = distribution;
        of.problem.block_size = block_size;
        of.problem.ranks = 4;
        of.problem.element = "int";
        of.problem.op = "sum";
        of.problem.element_bytes = 4;
        of.problem.total = total;
        of.problem.padded_total = padded_total;
        for (const char* name : {"A(m)", "B(m)", "C(1) + A(m')"}) {
            ReportedContestant& contestant = of.contestants.emplace_back();
            contestant.name = name;
            contestant.from = "scattered";
            contestant.to = "rooted";
            contestant.statistics.emplace();
        }
        for (const auto& [guideline, left, right, verdict] :
             {std::tuple{"g1", "A(m)", "B(m)", Verdict::violated},
              {"g2", "B(m)", "C(1) + A(m')", Verdict::holds}}) {
            JudgedCheck& check = report.checks.emplace_back();
            check.guideline = guideline;
            check.problem = of.problem.id;
            check.left = left;
            check.right = right;
            check.from = "scattered";
            check.to = "rooted";
            check.verdict = of.problem.distribution == "same" ? verdict : Verdict::skipped;
        }
    }
    std::vector<ReportedContestant>& irregular = report.problems[1].contestants;
    irregular[0].statistics.reset();
    irregular[2].statistics.reset();
    irregular[0].skipped = report.checks[2].reason =
        Reason{ReasonKind::does_not_fit, "A needs equal blocks"};
    report.checks[3].reason = Reason{ReasonKind::does_not_fit, "C is wrong"};
    irregular[2].wrong =
        Fault{FaultKind::wrong_value, "rank 2, rooted: element 0 of block 3 is 5, not 7"};
    JudgedCheck& violated = report.checks[0];
    violated.samples.emplace().judgement.verdict = Verdict::violated;
    violated.samples->judgement.factor = 1.5;
    violated.samples->judgement.ratio = {1.5, 1.25, 1.75, 0.961};
    violated.samples->judgement.left.median = 3e-6;
    violated.remedy = Remedy{"B(m)", 1.5, 1e-6, 3e-6, 2e-6};
    report.header.guidelines = {{"g1", "A(m) <= B(m)", "", "", "irregular.json"},
                                {"g2", "B(m) <= C(1) + A(m')", "", "", "irregular.json"}};
    report.header.mpi.library = "Some MPI v1.2, package: none";
    report.header.machine.ranks = 4;
    report.header.command = {"mpiaudit", "run"};
    record::Implementation& a = report.header.implementations.emplace_back();
    a.name = "A";
    a.collective = "gather";
    a.native = true;
    count_again(report);
    report.summary.wrong = 1;
    report.summary.samples = 48;
    return report;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Returns the text without the escape sequences of colours.
inline std::string without_colour(const std::string& text) {
    return std::regex_replace(text, std::regex("\033\\[[0-9;]*m"), "");
}

inline GateOptions asking_for(const std::string& fail_on, std::string baseline = "") {
    GateOptions options;
    options.fail_on = fail_on;
    options.baseline = std::move(baseline);
    return options;
}

}  // namespace mpiaudit
