// SPDX-License-Identifier: BSD-3-Clause
#include "report/certainty.h"

#include <algorithm>
#include <set>

namespace mpiaudit {

using judge::Verdict;

Confirmed confirmed(const Report& report) {
    Confirmed counts;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind != CheckKind::verdict) continue;
        const auto accusing = static_cast<std::size_t>(
            std::ranges::count_if(check.launches, [](const JudgedLaunch& each) {
                return each.samples.judgement.verdict == Verdict::violated;
            }));
        if (check.verdict != Verdict::violated)
            counts.suspected += accusing > 0;
        else if (check.launches.size() < 2)
            ++counts.measured_once;
        else
            ++(accusing == check.launches.size() ? counts.by_every_launch : counts.by_all_together);
    }
    return counts;
}

Controls controls_of(const Report& report) {
    std::set<record::CheckKey> controls;
    std::set<int> launches;
    int number = 0;
    for (const ReportedLaunch& launch : report.launches) {
        ++number;
        if (!launch.confirms) continue;
        controls.insert(launch.confirms->controls.begin(), launch.confirms->controls.end());
        launches.insert(number);
    }
    Controls counts;
    for (const JudgedCheck& check : report.checks) {
        if (!controls.contains({check.problem, check.guideline})) continue;
        bool is_measured = false, is_accused = false;
        for (const JudgedLaunch& each : check.launches) {
            if (!launches.contains(each.launch)) continue;
            is_measured = true;
            is_accused = is_accused || each.samples.judgement.verdict == Verdict::violated;
        }
        counts.measured += is_measured;
        counts.accused += is_accused;
    }
    return counts;
}

double decided_share(const Report& report) {
    std::size_t open = report.summary.undecided;
    for (const JudgedCheck& check : report.checks)
        open += check.kind == CheckKind::verdict && check.verdict == Verdict::skipped &&
                record::is_skipped_by(ReasonKind::no_time, check.reason);
    const std::size_t decided = report.summary.decided();
    return decided + open == 0 ? 1.0
                               : static_cast<double>(decided) / static_cast<double>(decided + open);
}

}  // namespace mpiaudit
