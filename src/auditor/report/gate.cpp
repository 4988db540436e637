// SPDX-License-Identifier: BSD-3-Clause
#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "report/console.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

constexpr int columns_of_a_line = 80;

/// The worst ones, a line each.
std::string named(std::vector<const JudgedCheck*> checks) {
    constexpr std::size_t most = 5;
    std::ranges::stable_sort(checks, std::ranges::greater{},
                             [](const JudgedCheck* each) { return factor(*each); });
    std::string text;
    for (const JudgedCheck* each : checks | std::views::take(most)) {
        const double ratio = factor(*each);
        text += wrapped(fmt::format("  {} <= {} on {}{}", each->left, each->right, each->problem,
                                    std::isfinite(ratio) ? ": ratio " + ratio_text(ratio) : ""),
                        columns_of_a_line, "    ");
    }
    if (checks.size() > most) text += fmt::format("  and {} more\n", checks.size() - most);
    return text;
}

}  // namespace

GateOutcome outcome_of_gate(const Report& report, const GateOptions& options) {
    GateOutcome outcome;
    const FailureCondition& condition = *options.fail_on;
    if (!options.baseline.empty()) {
        const NativeTimes own = native_times(report);
        outcome.beside_baseline = before_after(native_times_in(options.baseline), own);
        if (outcome.beside_baseline->common == 0 && !own.empty())
            throw UsageError(
                "--baseline: {} has measured no operation of the library on a problem of this "
                "audit: only the same distribution, sizes and ranks can be compared",
                options.baseline);
    }
    // A baseline alone asks for operations, whether or not they violate anything.
    if (!condition.is_wanted) {
        outcome.has_failed = outcome.beside_baseline && outcome.beside_baseline->has_slower();
        return outcome;
    }
    for (const JudgedCheck& check : report.checks) {
        if (!check.is_violation()) continue;
        if (outcome.beside_baseline && !outcome.beside_baseline->is_slower(check.left))
            outcome.excused.push_back(&check);
        else if (condition.fails(factor(check)))
            outcome.failing.push_back(&check);
        else
            outcome.tolerated.push_back(&check);
    }
    outcome.has_failed = !outcome.failing.empty();
    return outcome;
}

std::string in_words(const GateOutcome& outcome) {
    std::string text;
    const auto add = [&](std::size_t count, const char* what) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(count, "violation"), what);
    };
    add(outcome.excused.size(), "of operations that are no slower than in the baseline");
    add(outcome.tolerated.size(), "within the condition");
    if (!text.empty() || (outcome.beside_baseline && !outcome.failing.empty()))
        text += fmt::format("{}{} that {}{}\n{}", text.empty() ? "" : ", ",
                            counted(outcome.failing.size(), "violation"),
                            outcome.failing.size() == 1 ? "fails" : "fail",
                            outcome.failing.empty() ? "" : ":", named(outcome.failing));
    if (!outcome.beside_baseline) return text;
    return wrapped("The baseline is A, this audit B: " + outcome.beside_baseline->sentence,
                   columns_of_a_line, "  ") +
           "One launch each cannot tell a change by less than a factor of 1.25; "
           "jobs/before-after\n  measures in several\n" +
           text;
}

}  // namespace mpiaudit
