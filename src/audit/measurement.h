// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "audit/plan.h"
#include "timing/clock.h"
#include "timing/global_clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {

/// How one audit measures each of its problems.
struct Protocol {
    MPI_Comm comm;
    Clock clock;
    SampleStarts starts;
    GlobalClock* global_clock;  ///< null when no samples start in a window
    std::optional<int> warmup;  ///< rounds; nothing: until their time settles
    int max_rounds;
    judge::Rule rule;
    std::uint64_t order_seed;
    const Scheduler* scheduler = nullptr;  ///< of --network, where one is given
    bool no_communication = false;         ///< the datatype work of each contestant alone
    bool shared_buffers = false;           ///< buffers hold no data: only in a simulation
};

/// Verifies the contestants of one problem and measures the right ones in rounds until every check
/// is decided, `max_rounds` are over or `limit_s` seconds have passed (infinite: no limit). Returns
/// the problem's line of samples.jsonl on rank 0, an empty object elsewhere. Collective.
nlohmann::json measure_problem(const PlannedProblem& planned,
                               const std::vector<Guideline>& guidelines, const Protocol& protocol,
                               double limit_s);

/// Seconds that one round of all contestants takes, after one to warm up; the same on every rank.
/// For the estimate of a dry run. Collective.
double probe_round(const PlannedProblem& planned, const Protocol& protocol);

}  // namespace mpiaudit
