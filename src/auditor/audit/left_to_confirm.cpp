// SPDX-License-Identifier: BSD-3-Clause
// left_to_confirm() of audit/confirmation.h.
#include "audit/confirmation.h"

#include <algorithm>
#include <map>

#include "report/report.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using record::CheckKey;

/// Ways of one use that are confirmed for a problem. One way is enough for an application; the
/// second is for the case that the first is not confirmed.
constexpr std::size_t most_ways = 2;

/// How an application can be made to take a way: by a setting of the library, or by other calls.
enum class Use { setting, other_calls };

Use use_of(const Report& audit, const JudgedCheck& check) {
    const auto* const right =
        contestant_of(check, check.right, *find_problem(audit, check.problem));
    return right != nullptr && right->forced ? Use::setting : Use::other_calls;
}

/// Returns whether one more launch could confirm the violation.
bool is_open(const JudgedCheck& check, int wanted) {
    // `launches` is empty if a single launch measured the check.
    const std::size_t measured = std::max<std::size_t>(1, check.launches.size());
    return measured < static_cast<std::size_t>(wanted) &&
           std::ranges::all_of(check.launches, [](const JudgedLaunch& each) {
               return each.samples.judgement.log_e_violated >= 0;
           });
}

std::vector<const JudgedCheck*> open_checks(const Report& audit, const Report& launches,
                                            int wanted) {
    std::map<CheckKey, const JudgedCheck*> joint;
    for (const JudgedCheck& each : launches.checks) joint[{each.problem, each.guideline}] = &each;
    std::vector<const JudgedCheck*> open;
    for (const JudgedCheck& each : audit.checks) {
        const auto found = joint.find({each.problem, each.guideline});
        if (each.is_violation() && each.samples->has_ratio() && found != joint.end() &&
            is_open(*found->second, wanted))
            open.push_back(&each);
    }
    return open;
}

/// Returns the open checks of an application, largest savings first, at most most_ways of each
/// problem and use.
std::vector<LeftToConfirm> worth_confirming(const Report& audit,
                                            const std::vector<const JudgedCheck*>& open) {
    using Name = std::pair<std::string, std::string>;  // collective, contestant
    std::map<Name, double> saved_in_all;
    std::map<std::pair<std::string, Use>, std::vector<std::pair<Name, LeftToConfirm>>> of_problem;
    for (const JudgedCheck* check : open) {
        const auto saving = saving_by(audit, *check);
        if (!saving) continue;
        const Name name{saving->collective, check->right};
        saved_in_all[name] += saving->low_s;
        const Use use = use_of(audit, *check);
        of_problem[{check->problem, use}].push_back(
            {name, {{check->problem, check->guideline}, saving->low_s}});
    }
    std::vector<LeftToConfirm> listed;
    for (auto& [problem_and_use, ways] : of_problem) {
        std::ranges::stable_sort(ways, std::ranges::greater{},
                                 [&](const auto& way) { return saved_in_all[way.first]; });
        ways.resize(std::min(ways.size(), most_ways));
        for (const auto& [name, left] : ways) listed.push_back(left);
    }
    std::ranges::stable_sort(listed, std::ranges::greater{}, &LeftToConfirm::worth_s);
    return listed;
}

}  // namespace

std::vector<LeftToConfirm> left_to_confirm(const Report& audit, const Report& launches,
                                           int wanted) {
    const std::vector<const JudgedCheck*> open = open_checks(audit, launches, wanted);
    if (audit.header.application) return worth_confirming(audit, open);
    std::vector<LeftToConfirm> all;
    for (const JudgedCheck* each : open) all.push_back({{each->problem, each->guideline}, 0});
    return all;
}

}  // namespace mpiaudit
