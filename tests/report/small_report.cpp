// SPDX-License-Identifier: BSD-3-Clause
#include "report/small_report.h"

#include <regex>
#include <sstream>

namespace mpiaudit {
namespace {

using judge::Verdict;

ReportedContestant bare(const std::string& name) {
    ReportedContestant made;
    made.name = name;
    made.from = "scattered";
    made.to = "rooted";
    return made;
}

ReportedContestant measured(const std::string& name, double mean_s, double minimum_s) {
    ReportedContestant made = bare(name);
    made.statistics = judge::Summary{};
    made.statistics->mean = mean_s;
    made.statistics->minimum = made.statistics->raw_minimum = minimum_s;
    return made;
}

ReportedProblem problem(const std::string& distribution, std::int64_t block_size,
                        std::int64_t total, std::int64_t padded_total) {
    ReportedProblem made;
    made.problem.id = distribution + "/b=" + std::to_string(block_size);
    made.problem.distribution = distribution;
    made.problem.block_size = block_size;
    made.problem.element_bytes = 4;
    made.problem.total = total;
    made.problem.padded_total = padded_total;
    return made;
}

JudgedCheck check(const std::string& guideline, const std::string& problem, Verdict verdict,
                  const std::string& reason = "") {
    JudgedCheck made;
    made.guideline = guideline;
    made.problem = problem;
    made.left = guideline == "g1" ? "A(m)" : "B(m)";
    made.right = guideline == "g1" ? "B(m)" : "C(1) + A(m')";
    made.verdict = verdict;
    made.reason = reason;
    return made;
}

JudgedCheck violated(JudgedCheck check, double ratio) {
    check.samples.emplace();
    check.samples->judgement.verdict = check.verdict = Verdict::violated;
    check.samples->judgement.factor = ratio;
    check.samples->judgement.ratio = {ratio, ratio - 0.25, ratio + 0.25, 0.961};
    check.reproduce = "mpirun -n 4 mpiaudit run --only " + check.guideline;
    return check;
}

}  // namespace

Report small_report() {
    Report report;
    report.is_complete = true;
    report.elapsed_s = 12.34;
    report.header.guidelines = {{"g1", "A(m) <= B(m)", "", "", "irregular.json"},
                                {"g2", "B(m) <= C(1) + A(m')", "", "", "irregular.json"}};
    ReportedProblem regular = problem("same", 10, 40, 40);
    regular.contestants = {measured("A(m)", 3.0046e-6, 2.5e-6), measured("B(m)", 2e-6, 1.9996e-6),
                           measured("C(1) + A(m')", 45.678e-6, 33e-6)};
    ReportedProblem irregular = problem("two-blocks", 1000, 2000, 4000);
    irregular.contestants = {bare("A(m)"), measured("B(m)", 123456e-6, 1000.4e-6),
                             bare("C(1) + A(m')")};
    irregular.contestants[0].skipped = "A needs equal blocks";
    irregular.contestants[2].wrong = "rank 2, rooted: element 0 of block 3 is 5, not 7";
    report.problems = {regular, irregular};
    report.checks = {violated(check("g1", "same/b=10", Verdict::violated), 1.5),
                     check("g2", "same/b=10", Verdict::holds),
                     check("g1", "two-blocks/b=1000", Verdict::skipped, "A needs equal blocks"),
                     check("g2", "two-blocks/b=1000", Verdict::skipped, "C is wrong")};
    report.checks[0].advice =
        "Where all blocks are equal, call B in place of A. The library could do the same.";
    report.checks[0].remedy = Remedy{"B(m)", 1.5, 1e-6, "B(buffer, count, comm);"};
    report.header.mpi.library = "Some MPI v1.2, package: none";
    report.header.machine.ranks = 4;
    report.header.command = {"mpiaudit", "run"};
    report.header.implementations = {{.name = "A",
                                      .collective = "gather",
                                      .from = "scattered",
                                      .to = "rooted",
                                      .native = true,
                                      .summary = {}}};
    report.summary.checks = 4;
    report.summary.violated = 1;
    report.summary.holds = 1;
    report.summary.skipped = 2;
    report.summary.wrong = 1;
    report.summary.samples = 48;
    report.summary.fixed_protocol_samples = 300;
    return report;
}

JudgedCheck as_remark(JudgedCheck check) {
    check.kind = CheckKind::remark;
    check.guideline = "r" + check.guideline;
    check.left = "own_" + check.left;
    check.remedy.reset();
    return check;
}

void count_again(Report& report) {
    static_cast<VerdictCounts&>(report.summary) = {};
    report.summary.remarks = {};
    for (const JudgedCheck& check : report.checks)
        (check.kind == CheckKind::verdict ? report.summary : report.summary.remarks)
            .add(check.verdict);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string without_colour(const std::string& text) {
    return std::regex_replace(text, std::regex("\033\\[[0-9;]*m"), "");
}

}  // namespace mpiaudit
