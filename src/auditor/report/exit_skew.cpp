// SPDX-License-Identifier: BSD-3-Clause
// How late ranks leave a barrier: declared in report/findings.h.
#include <algorithm>

#include "report/findings.h"
#include "report/overview_rows.h"

namespace mpiaudit {
namespace {

/// A skew is late if the smallest skew is less by this share of the time of the barrier.
constexpr double share_of_barrier = 0.1;

}  // namespace

std::optional<ExitSkew> exit_skew_of(const Report& report) {
    const ReportedContestant* native = nullptr;
    const ReportedContestant* best = nullptr;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (!each.exit_skew_s || each.wrong) continue;
            const Form* const form = each.name.way().only();
            if (form == nullptr) continue;
            if (form->is_plain() && form->operation == "MPI_Barrier")
                native = &each;
            else if (form->is_of_mpi() && !each.forced)
                continue;
            else if (best == nullptr || *each.exit_skew_s < *best->exit_skew_s)
                best = &each;
        }
    }
    if (native == nullptr) return std::nullopt;
    ExitSkew skew{.skew_s = *native->exit_skew_s};
    if (best == nullptr) return skew;
    skew.best_s = best->exit_skew_s;
    skew.best = best->name;
    skew.call_s = native->statistics ? native->statistics->median : 0.0;
    skew.is_late = skew.skew_s > clear_ratio * *skew.best_s &&
                   skew.skew_s - *skew.best_s > share_of_barrier * skew.call_s;
    return skew;
}

}  // namespace mpiaudit
