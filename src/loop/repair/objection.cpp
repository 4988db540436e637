// SPDX-License-Identifier: BSD-3-Clause
// Defines objection() of repair.h: whether a setting that was tried has the wanted effect.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "repair/repair.h"
#include "repair/violations.h"
#include "report/judged_check.h"

namespace mpiaudit::repair {
namespace {

/// Verdicts of a report, by problem and guideline.
using Verdicts = std::map<record::CheckKey, const JudgedCheck*>;
Verdicts verdicts_of(const Report& report) {
    Verdicts verdicts;
    for (const JudgedCheck& each : report.checks) {
        if (each.kind == CheckKind::verdict) verdicts[{each.problem, each.guideline}] = &each;
    }
    return verdicts;
}

/// Returns a text if a call that was right before is wrong under the settings, else nullopt.
/// Algorithms that are forced for comparison do not count. An algorithm may reorder operands, also
/// inside another collective.
std::optional<std::string> new_wrong_result(const Report& before, const Report& under) {
    for (const ReportedProblem& problem : under.problems) {
        const ReportedProblem* const earlier = find_problem(before, problem.problem.id);
        for (const ReportedContestant& each : problem.contestants) {
            if (!each.wrong || each.forced || earlier == nullptr) continue;
            const ReportedContestant* const known = same_way_in(earlier->contestants, each);
            if (known != nullptr && !known->wrong)
                return fmt::format("{} gives a wrong result on {}", each.name, problem.problem.id);
        }
    }
    return std::nullopt;
}

bool is_call(const Way& way, const std::string& collective) {
    return way.is_one_call() && way.copy == 1 && way.only()->name() == collective;
}

/// Returns the median factor by which the other contestants of the problem became slower: the
/// machine may be busier than before.
double shift_of_others(const Report& without, const Report& under, const JudgedCheck& check) {
    const ReportedProblem* const earlier = find_problem(without, check.problem);
    const ReportedProblem* const now = find_problem(under, check.problem);
    std::vector<double> shifts;
    for (const ReportedContestant& each : earlier->contestants) {
        const ReportedContestant* const same = same_way_in(now->contestants, each);
        if (each.name != check.left && each.statistics && same != nullptr && same->statistics)
            shifts.push_back(same->statistics->median / each.statistics->median);
    }
    if (shifts.empty()) return 1;
    const auto middle = shifts.begin() + static_cast<std::ptrdiff_t>(shifts.size() / 2);
    std::ranges::nth_element(shifts, middle);
    return *middle;
}

/// Returns whether the left side itself has become slower, by more than `shift` explains; else the
/// right side became faster.
bool is_slower_now(const JudgedCheck& before, const JudgedCheck& now, double shift) {
    return now.samples->judgement.left.median >
           negligible * std::max(1.0, shift) * before.samples->judgement.left.median;
}

/// Returns whether the setting breaks a guideline that held in the audit and still holds without
/// the setting.
bool is_broken(const JudgedCheck& before, const JudgedCheck& now, const Verdicts& without,
               const Trial& trial) {
    if (before.verdict != judge::Verdict::holds || now.verdict != judge::Verdict::violated)
        return false;
    const auto found = without.find({before.problem, before.guideline});
    if (found == without.end() || found->second->verdict == judge::Verdict::skipped)
        return is_slower_now(before, now, 1);
    return found->second->verdict == judge::Verdict::holds &&
           is_slower_now(*found->second, now, shift_of_others(trial.without, trial.under, now));
}

bool is_about_any(const JudgedCheck& check, const std::vector<Setting>& settings) {
    return std::ranges::any_of(
        settings, [&](const Setting& each) { return is_call(check.left.way(), each.collective); });
}

/// Returns whether the right side contains a collective of the settings, and so may have become
/// faster.
bool is_faster_by_any(const JudgedCheck& check, const std::vector<Setting>& settings) {
    return std::ranges::any_of(settings, [&](const Setting& each) {
        return std::ranges::any_of(check.right.way().terms, [&](const Term& term) {
            return term.form.name() == each.collective;
        });
    });
}

}  // namespace

std::optional<std::string> objection(const Setting& setting, const std::vector<Setting>& together,
                                     const Report& before, const Trial& trial) {
    if (const auto wrong = new_wrong_result(before, trial.under)) return wrong;
    const Verdicts now = verdicts_of(trial.under), without = verdicts_of(trial.without);
    std::set<std::string> mended, measured;
    for (const JudgedCheck& check : before.checks) {
        if (check.kind != CheckKind::verdict) continue;
        const auto found = now.find({check.problem, check.guideline});
        if (found == now.end() || found->second->verdict == judge::Verdict::skipped) continue;
        measured.insert(check.problem);
        const bool is_own = is_call(check.left.way(), setting.collective);
        if (is_own && check.is_violation() && found->second->verdict == judge::Verdict::holds)
            mended.insert(check.problem);
        if ((is_own || !is_about_any(check, together)) && !is_faster_by_any(check, together) &&
            is_broken(check, *found->second, without, trial))
            return fmt::format("{} on {} held before, and is violated now", check.guideline,
                               check.problem);
    }
    for (const std::string& problem : setting.problems) {
        if (!measured.contains(problem))
            return fmt::format("{} on {} was not measured within --budget", setting.collective,
                               problem);
        if (!mended.contains(problem))
            return fmt::format("{} on {} is not shown to be faster than before", setting.collective,
                               problem);
    }
    return std::nullopt;
}

}  // namespace mpiaudit::repair
