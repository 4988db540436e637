// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/plan.h"
#include "record/audit_record.h"
#include "trace/linear_model.h"

namespace mpiaudit {

/// Adds to every measured contestant of a problem what the model predicts for it, where its
/// algorithm is known, and the lower bound for what it does.
void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model);

}  // namespace mpiaudit
