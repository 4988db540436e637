// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "measure/open_checks.h"
#include "measure/prepared.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "timing/rounds.h"
#include "timing/warm_up.h"

namespace mpiaudit {

/// Samples of one problem as they come in; complete on rank 0.
struct RoundsRecord {
    explicit RoundsRecord(std::size_t contestants)
        : late(contestants), samples_s(contestants), rank_times(contestants) {}

    std::vector<char> late;                           ///< 1: no time was left for this contestant
    std::vector<std::vector<int>> order;              ///< [round]
    std::vector<std::vector<double>> samples_s;       ///< [contestant][round]
    std::vector<record::RankTimesRecord> rank_times;  ///< like samples_s, where they are kept
    record::Stopped stopped = record::Stopped::decided;
    WarmUp warm_up;
    int late_starts = 0, dropped_rounds = 0;
    int unclear_rounds = 0;            ///< that the clocks do not agree well enough for
    double worst_clock_error_s = 0;    ///< that was seen while the rounds were measured
    std::optional<double> own_time_s;  ///< of the arrival pattern, where there is one

    /// `checks` get every round. Rounds in which the clocks may be off by more than a share of the
    /// contestant that is fastest in the median are dropped together: which of them that are does
    /// not depend on any single sample. Returns how many rounds were kept.
    std::size_t add(const Batch& batch, OpenChecks& checks);

    static constexpr double share_of_clock_error = 0.25;
};

// From what measures to what is recorded; on rank 0.

/// The problem, its contestants and checks before anything is measured.
record::ProblemRecord unmeasured(const PlannedProblem& planned,
                                 const std::vector<Guideline>& guidelines);

/// Which contestants are wrong, whose samples are withdrawn, and which the library refuses.
void add_findings(const Prepared& prepared, record::ProblemRecord& record);

/// What the rounds, or the only ones, have measured. \param settles: warm-up went on until it had
void add_rounds(RoundsRecord rounds, bool settles, record::ProblemRecord& record);

/// What the rounds in the window have measured of a problem that has others already.
record::SecondWay second_way_of(RoundsRecord rounds);
/// The rounds with the young heap.
record::OtherHeap other_heap_of(RoundsRecord rounds);

}  // namespace mpiaudit
