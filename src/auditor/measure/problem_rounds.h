// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "measure/open_checks.h"
#include "measure/prepared.h"
#include "measure/protocol.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "timing/rounds.h"
#include "timing/synchronisation.h"

namespace mpiaudit {

/// Samples of one problem as they come in; complete on rank 0.
struct RoundsRecord : record::MoreRounds {
    explicit RoundsRecord(std::size_t contestants) : late(contestants), rank_times(contestants) {
        samples_s.resize(contestants);
    }

    std::vector<char> late;                           ///< 1: no time was left for this contestant
    std::vector<record::RankTimesRecord> rank_times;  ///< like samples_s, where they are kept
    WarmUp warm_up;
    record::WindowRecord window;

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

/// The prepared contestants of one problem, and what decides their rounds.
struct PreparedProblem {
    const PlannedProblem& planned;
    const std::vector<Guideline>& guidelines;
    const Protocol& protocol;
    const Workspaces& workspaces;
    Prepared& prepared;
};

/// Warms up and measures rounds until every check is decided, the rounds are over or `limit_s`
/// seconds have passed. Contestants are looked at again between the rounds, and all that were
/// measured after the last one: what is wrong then is wrong in `prepared`. Samples start after a
/// barrier, or in the window where there is one. The record is complete on rank 0. Collective.
/// \param selected 1 for each check that is to be decided; empty: all
RoundsRecord run_rounds(const PreparedProblem& problem, std::uint64_t order_seed, double limit_s,
                        StartWindow* window, const std::vector<char>& selected = {});

Rounds rounds_of(const PreparedProblem& problem, std::uint64_t order_seed);

/// A contestant that has returned an error in `rounds` is wrong from now on. Throws WrongBarrier
/// where it was the synchronisation. \param failed as in Batch, the same on every rank. Collective.
void blame(Rounds& rounds, int failed, Prepared& prepared, MPI_Comm comm);

}  // namespace mpiaudit
