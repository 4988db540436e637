// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "guidelines/guideline.h"
#include "measure/prepared.h"
#include "measure/protocol.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Verifies the contestants of one problem and times the right ones in rounds until every check is
/// decided, the rounds are over or `limit_s` seconds have passed (infinite: no limit). Returns the
/// record on rank 0, and an empty one elsewhere. Collective.
record::ProblemRecord measure_problem(const PlannedProblem& planned,
                                      const std::vector<Guideline>& guidelines,
                                      const Protocol& protocol, double limit_s,
                                      const std::vector<KnownIncident>& incidents = {});

/// Returns the seconds that each contestant takes in a round. Calls the contestants check by check,
/// one check of each operation in turn, until is_over(): a round of all contestants may take longer
/// than the limit of the problem. Infinite for contestants that were not called.
/// \param is_wanted 1 for each check to include; empty: all checks
/// \param run calls a contestant and returns its seconds
std::vector<double> costs_in_turns(const PlannedProblem& planned, const Prepared& prepared,
                                   const std::vector<char>& is_wanted,
                                   const std::function<double(std::size_t)>& run,
                                   const std::function<bool()>& is_over);

/// Returns 1 for each check that can be measured in `limit_s` seconds together with the chosen
/// checks before it; takes one check of each operation in turn.
/// \param costs_s[c] seconds that contestant c takes in a round
std::vector<char> affordable_checks(const PlannedProblem& planned, const Prepared& prepared,
                                    const std::vector<double>& costs_s, double limit_s);

/// Sets planned.predicted_s, by which fast references come first. The ranks share the contestants.
/// Collective, except in a simulation.
void predict_contestants(PlannedProblem& planned, const LinearModel& model, MPI_Comm comm);

/// Skips all but the `most` fastest reference algorithms of each operation with `--guidelines
/// library`. Counts the algorithms that are kept beyond those of the plan.
/// \param most at least references.most
void keep_fastest_references(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                             const ReferencesInBudget& references, int most);

/// Sets the predicted time of each measured or left out contestant whose algorithm is known, and
/// the lower bound for the operation of each measured contestant.
void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model);

}  // namespace mpiaudit
