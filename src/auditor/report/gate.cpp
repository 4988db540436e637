// SPDX-License-Identifier: BSD-3-Clause
#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ranges>

#include "report/console.h"

namespace mpiaudit {
namespace {

constexpr int columns_of_a_line = 80;

std::optional<double> ratio_of(const JudgedCheck& check) {
    if (!check.samples || !check.samples->has_ratio()) return std::nullopt;
    return check.samples->judgement.factor;
}

/// The worst ones, a line each.
std::string named(std::vector<const JudgedCheck*> checks) {
    constexpr std::size_t most = 5;
    std::ranges::stable_sort(checks, std::ranges::greater{}, [](const JudgedCheck* each) {
        return ratio_of(*each).value_or(std::numeric_limits<double>::infinity());
    });
    std::string text;
    for (const JudgedCheck* each : checks | std::views::take(most)) {
        const auto ratio = ratio_of(*each);
        text += wrapped(fmt::format("  {} <= {} on {}{}", each->left, each->right, each->problem,
                                    ratio ? ": ratio " + ratio_text(*ratio) : ""),
                        columns_of_a_line, "    ");
    }
    if (checks.size() > most) text += fmt::format("  and {} more\n", checks.size() - most);
    return text;
}

}  // namespace

Gate::Gate(const GateOptions& options) : file_{options.baseline}, condition_{*options.fail_on} {
    if (!file_.empty()) baseline_ = native_times_in(file_);
}

GateOutcome Gate::outcome(const Report& report) const {
    GateOutcome outcome;
    if (baseline_) {
        const NativeTimes own = native_times(report);
        outcome.beside_baseline = before_after(*baseline_, own);
        if (outcome.beside_baseline->common == 0 && !own.empty())
            throw UsageError(
                "--baseline: {} has measured no operation of the library on a problem of this "
                "audit: only the same distribution, sizes and ranks can be compared",
                file_);
    }
    // A baseline alone asks for operations, whether or not they violate anything.
    if (!condition_.is_wanted) {
        outcome.has_failed = outcome.beside_baseline && outcome.beside_baseline->has_slower();
        return outcome;
    }
    for (const JudgedCheck& check : report.checks) {
        if (!check.is_violation()) continue;
        if (outcome.beside_baseline && !outcome.beside_baseline->is_slower(check.left))
            outcome.excused.push_back(&check);
        else if (condition_.fails(ratio_of(check)))
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
