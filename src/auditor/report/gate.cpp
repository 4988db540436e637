// SPDX-License-Identifier: BSD-3-Clause
#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/console_text.h"
#include "report/report_json.h"

namespace mpiaudit {
namespace {

std::optional<double> ratio_of(const JudgedCheck& check) {
    if (!check.samples || !check.samples->has_ratio()) return std::nullopt;
    return check.samples->judgement.factor;
}

}  // namespace

/// Guideline, both sides, distribution, element and operator.
constexpr std::ptrdiff_t parts_without_sizes = 6;

CheckIdentity identity_of(const std::string& guideline, const std::string& left,
                          const std::string& right, const record::ProblemDescription& problem) {
    CheckIdentity identity = {guideline,       left,      right, problem.distribution,
                              problem.element, problem.op};
    for (const std::int64_t number :
         {problem.block_size, std::int64_t{problem.ranks}, std::int64_t{problem.root},
          problem.total, problem.padded_total, problem.smallest, problem.largest})
        identity.push_back(std::to_string(number));
    return identity;
}

Gate::Gate(const GateOptions& options) : condition_{*options.fail_on} {
    if (!options.baseline.empty()) condition_.is_wanted = true;
    for (const std::string& path : options.baseline) known_.merge(violations_in(path));
}

bool Gate::is_known(const CheckIdentity& identity, bool is_chosen) const {
    if (!is_chosen) return known_.contains(identity);
    // Another audit has chosen other sizes: any of the kind will do, but for the sizes.
    return std::ranges::any_of(known_, [&](const CheckIdentity& each) {
        return std::equal(each.begin(), each.begin() + parts_without_sizes, identity.begin());
    });
}

GateOutcome Gate::outcome(const Report& report) const {
    GateOutcome outcome;
    for (const JudgedCheck& check : report.checks) {
        if (!check.is_violation()) continue;
        const ReportedProblem* found = find_problem(report, check.problem);
        if (found == nullptr) continue;
        if (is_known(identity_of(check.guideline, check.left, check.right, found->problem),
                     found->problem.chosen))
            outcome.known.push_back(&check);
        else if (condition_.fails(ratio_of(check)))
            outcome.failing.push_back(&check);
        else
            outcome.tolerated.push_back(&check);
    }
    return outcome;
}

std::string in_words(const GateOutcome& outcome) {
    std::string text;
    const auto add = [&](std::size_t count, const char* what) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(count, "violation"), what);
    };
    add(outcome.known.size(), "known from the baseline");
    add(outcome.tolerated.size(), "within the condition");
    if (!text.empty())
        text += fmt::format(", {} that {}", counted(outcome.failing.size(), "violation"),
                            outcome.failing.size() == 1 ? "fails" : "fail");
    return text;
}

}  // namespace mpiaudit
