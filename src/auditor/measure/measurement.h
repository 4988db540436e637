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

/// Verifies the contestants of one problem and measures the right ones in rounds until every check
/// is decided, the rounds are over or `limit_s` seconds have passed (infinite: no limit). The
/// record is that of rank 0, and empty elsewhere. Collective.
record::ProblemRecord measure_problem(const PlannedProblem& planned,
                                      const std::vector<Guideline>& guidelines,
                                      const Protocol& protocol, double limit_s,
                                      const std::vector<KnownIncident>& incidents = {});

/// Verifies the contestants, as far as `limit_s` allows, and times none. Collective.
record::ProblemRecord verify_forms(const PlannedProblem& planned, const Protocol& protocol,
                                   double limit_s, const std::vector<KnownIncident>& incidents);

/// What each contestant takes in a round, by calling those of one check after the other, one of
/// each operation in turn, until the time is over: one round of all may take longer than all that a
/// problem has. Infinite for those that it did not come to. \param is_wanted of each check
/// \param run returns seconds
std::vector<double> costs_in_turns(const PlannedProblem& planned, const Prepared& prepared,
                                   const std::vector<char>& is_wanted,
                                   const std::function<double(std::size_t)>& run,
                                   const std::function<bool()>& is_over);

/// 1 for each check of a problem that can be measured well within `limit_s` seconds together with
/// those before it, one of each operation in turn; no check at all when there is no time for one.
/// \param costs_s[c] seconds that contestant c takes in a round
std::vector<char> affordable_checks(const PlannedProblem& planned, const Prepared& prepared,
                                    const std::vector<double>& costs_s, double limit_s);

/// Predicts the contestants of a problem, each on one of the ranks: the references that are
/// predicted to be fast come first. Collective, but in a simulation.
void predict_contestants(PlannedProblem& planned, const LinearModel& model, MPI_Comm comm);

/// Of what an operation is compared with for `--guidelines library`, leaves all but so many as the
/// budget allows.
void leave_slower_references(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                             const ReferencesInBudget& references);

/// Adds to every measured contestant of a problem what the model predicts for it, where its
/// algorithm is known, and the lower bound for what it does.
void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model);

}  // namespace mpiaudit
