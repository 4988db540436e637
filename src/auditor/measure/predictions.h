// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "guidelines/guideline_file.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Predicts the contestants of a problem, each on one of the ranks: the references that are
/// predicted to be fast come first. Collective, but in a simulation.
void predict_contestants(PlannedProblem& planned, const LinearModel& model, MPI_Comm comm);

/// Of what an operation is compared with for `--guidelines library`, leaves all but so many.
void leave_slower_references(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                             int references);

/// Adds to every measured contestant of a problem what the model predicts for it, where its
/// algorithm is known, and the lower bound for what it does.
void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model);

}  // namespace mpiaudit
