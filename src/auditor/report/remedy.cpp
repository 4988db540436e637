// SPDX-License-Identifier: BSD-3-Clause
#include "report/judged_check.h"

#include <algorithm>
#include <string_view>

#include "report/pasted_code.h"

namespace mpiaudit {
namespace {

/// A second copy of a contestant, which audits of the suite itself measure, is no other way.
std::string_view name_without_copy(const std::string& name) {
    return std::string_view(name).substr(0, name.find('#'));
}

/// Those that do what `left` does and were faster, the fastest first.
std::vector<const ReportedContestant*> faster_ways(const ReportedProblem& problem,
                                                   const ReportedContestant& left,
                                                   judge::Criterion criterion) {
    std::vector<const ReportedContestant*> ways;
    for (const ReportedContestant& each : problem.contestants) {
        if (!is_between_same_layouts(each, left) || !each.statistics || each.wrong ||
            name_without_copy(each.name) == name_without_copy(left.name) ||
            !record::scale_of(each.name).is_whole())
            continue;
        const double way_s = compared(*each.statistics, criterion);
        // A clock that coarse has been warned of.
        if (way_s > 0 && way_s < compared(*left.statistics, criterion)) ways.push_back(&each);
    }
    std::ranges::stable_sort(
        ways, {}, [&](const auto* each) { return compared(*each->statistics, criterion); });
    return ways;
}

/// By how much the way has been shown to be faster than the left side of the check, as its right
/// side has been: where that is this way, the answer is the verdict itself.
std::optional<double> shown_factor(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                   const ReportedContestant& way) {
    std::vector<record::Check> checks;
    std::vector<MeasuredCheck> measured;
    checks.reserve(launches.size());
    for (const MeasuredCheck& each : launches) {
        const auto& contestants = each.problem->contestants;
        const auto found = std::ranges::find_if(contestants, [&](const record::Contestant& one) {
            return one.name == way.name && is_between_same_layouts(one, way);
        });
        if (found == contestants.end()) continue;
        checks.push_back(*each.check);
        checks.back().right = static_cast<std::size_t>(found - contestants.begin());
        measured.push_back(each);
        measured.back().check = &checks.back();
    }
    if (measured.empty()) return std::nullopt;
    const JudgedCheck check = judged_check(measured, rule);
    if (check.verdict != judge::Verdict::violated) return std::nullopt;
    return check.samples->judgement.factor;
}

}  // namespace

std::optional<Remedy> find_remedy(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                  const ReportedProblem& problem, const record::Header& header) {
    const ReportedContestant& left = problem.contestants[launches.front().check->left];
    if (!left.statistics || !record::scale_of(left.name).is_whole()) return std::nullopt;
    const auto time_s = [&](const ReportedContestant& contestant) {
        return compared(*contestant.statistics, rule.criterion);
    };
    const std::vector<const ReportedContestant*> ways = faster_ways(problem, left, rule.criterion);
    std::optional<Remedy> best;
    for (const ReportedContestant* way : ways) {
        if (time_s(*way) > negligible * time_s(*ways.front())) break;
        const std::optional<double> factor = shown_factor(launches, rule, *way);
        if (factor && (!best || *factor > best->factor))
            // Of the factor, which is of pairs of samples, not of two medians.
            best = Remedy{way->name, *factor, time_s(left) * (1.0 - 1.0 / *factor),
                          pasted_code(*way, header.implementations)};
    }
    return best;
}

}  // namespace mpiaudit
