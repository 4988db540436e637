// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "answer/answer.h"
#include "report/overview_rows.h"
#include "screens/formats.h"
#include "text/console.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

constexpr int columns_of_a_line = 80;

/// Returns the way to which gated_ratio() compares.
std::string compared_with(const Report& report, const JudgedCheck& check) {
    const bool has_pair = !check.lacks_evidence && find_problem(report, check.problem) != nullptr;
    const std::string other = has_pair ? pair_of(report, check).contestant : WayName();
    return other.empty() ? check.right : other;
}

/// Returns a line for each of the worst checks.
std::string named(const Report& report, std::vector<const JudgedCheck*> checks) {
    constexpr std::size_t most = 5;
    std::ranges::stable_sort(checks, std::ranges::greater{},
                             [&](const JudgedCheck* each) { return gated_ratio(report, *each); });
    std::string text;
    for (const JudgedCheck* each : checks | std::views::take(most)) {
        const double ratio = gated_ratio(report, *each);
        const std::string instead = compared_with(report, *each);
        text += wrapped(fmt::format("  {} <= {} on {}{}", each->left, instead, each->problem,
                                    std::isfinite(ratio) ? ": ratio " + ratio_text(ratio) : ""),
                        columns_of_a_line, "    ");
    }
    if (checks.size() > most) text += fmt::format("  and {} more\n", checks.size() - most);
    return text;
}

}  // namespace

std::string in_words(const Report& report, const GateOutcome& outcome) {
    std::string text;
    const auto add = [&](std::size_t count, const char* what) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(count, "violation"), what);
    };
    add(outcome.excused.size(), "of operations that are no slower than in the baseline");
    add(outcome.tolerated.size(), "within the condition");
    add(outcome.communicators.size(),
        "of functions that make communicators (--fail-on violation,communicators counts these)");
    if (!text.empty() || (outcome.beside_baseline && !outcome.failing.empty()))
        text += fmt::format("{}{} that {}{}\n{}", text.empty() ? "" : ", ",
                            counted(outcome.failing.size(), "violation"),
                            outcome.failing.size() == 1 ? "fails" : "fail",
                            outcome.failing.empty() ? "" : ":", named(report, outcome.failing));
    if (const std::size_t excused = outcome.excused_wrong.size(); excused > 0)
        text += fmt::format("{} wrong in the baseline, too\n",
                            excused == 1 ? "1 form is" : fmt::format("{} forms are", excused));
    if (!outcome.beside_baseline) return text;
    return wrapped(in_words(*outcome.beside_baseline), columns_of_a_line, "  ") +
           fmt::format(
               "One launch each cannot tell a change by less than a factor of {:g}; "
               "jobs/before-after\n  measures in several\n",
               least_change) +
           text;
}

}  // namespace mpiaudit
