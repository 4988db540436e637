// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "measure/prepared.h"
#include "measure/referee.h"
#include "timing/rounds.h"
#include "timing/warm_up.h"

namespace mpiaudit {

/// Samples of one problem as they come in; complete on rank 0.
struct Record {
    explicit Record(std::size_t contestants = 0)
        : samples_s(contestants), rank_times(contestants) {}

    std::vector<std::vector<int>> order;             ///< [round]
    std::vector<std::vector<double>> samples_s;      ///< [contestant][round]
    std::vector<std::vector<RankTimes>> rank_times;  ///< like samples_s, where they are kept
    std::string stopped;                             ///< decided, rounds or budget
    WarmUp warm_up;
    int late_starts = 0, dropped_rounds = 0;

    void add(const Batch& batch, Referee& referee);
};

/// The problem's line of samples.jsonl but for its checks and what was seen while it was measured.
nlohmann::json problem_json(const Problem& problem);
/// The contestants of that line with their samples.
nlohmann::json contestants_json(const PlannedProblem& planned, const Prepared& prepared,
                                const Record& record);
/// What the second way to start samples has measured, for the same contestants.
nlohmann::json second_json(const Record& record, bool keeps_rank_times);

}  // namespace mpiaudit
