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

/// Samples of one problem; complete on rank 0.
struct RoundsRecord : record::MoreRounds {
    explicit RoundsRecord(std::size_t contestants) : late(contestants) {
        samples_s.resize(contestants);
    }

    std::vector<char> late;  ///< 1: no time was left for this contestant
    /// of each contestant with samples; empty in a simulation
    std::vector<std::optional<record::RankMedians>> ranks;
    WarmUp warm_up;
    record::WindowRecord window;

    /// Adds a batch and passes its rounds to `checks`. Drops the whole batch if the error of the
    /// clocks may exceed share_of_clock_error of the median of the fastest contestant. The median
    /// decides, so no single sample can cause or prevent this. Returns the number of rounds kept.
    std::size_t add(const Batch& batch, OpenChecks& checks);

    static constexpr double share_of_clock_error = 0.25;
};

// Functions that fill the record; on rank 0.

/// Returns a record with the problem, its contestants and checks, without samples.
record::ProblemRecord unmeasured(const PlannedProblem& planned,
                                 const std::vector<Guideline>& guidelines);

/// Records the memory that calls keep, and the contestants that are wrong, refused by the library,
/// or not verified for lack of time. Removes the samples of wrong contestants. On platforms where
/// wrong results do not count, records a wrong contestant as skipped.
void add_findings(const Prepared& prepared, record::ProblemRecord& record);

/// Moves the samples, the order, the warm-up and the reason of the end into `record`, but not the
/// window. Contestants without time left become skipped.
/// \param settles whether warm-up went on until times settled
void add_rounds(RoundsRecord rounds, bool settles, record::ProblemRecord& record);

/// The prepared contestants of one problem, and everything that decides about their rounds.
struct PreparedProblem {
    const PlannedProblem& planned;
    const std::vector<Guideline>& guidelines;
    const Protocol& protocol;
    const Workspaces& workspaces;
    Prepared& prepared;
};

/// Warms up and measures rounds until every check is decided, the rounds are over or `limit_s`
/// seconds have passed. Verifies contestants at random moments between rounds, and all of them at
/// the end; marks wrong ones in `prepared`. Samples start in the window, or after a barrier if it
/// is null. The record is complete on rank 0. Collective.
/// \param selected 1 for each check to decide; empty: all checks
RoundsRecord run_rounds(const PreparedProblem& problem, std::uint64_t order_seed, double limit_s,
                        StartWindow* window, const std::vector<char>& selected = {});

/// Returns rounds over the prepared contestants. The seed and the id of the problem decide the
/// order.
Rounds rounds_of(const PreparedProblem& problem, std::uint64_t order_seed);

/// Marks a contestant that returned an error in `rounds` as wrong. Throws WrongBarrier if the
/// synchronisation returned the error. Collective.
/// \param failed as in Batch, equal on every rank
void record_failure(Rounds& rounds, int failed, Prepared& prepared, MPI_Comm comm);

}  // namespace mpiaudit
