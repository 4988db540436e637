// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/prepared.h"
#include "measure/protocol.h"
#include "plan/plan.h"
#include "record/audit_record.h"

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

}  // namespace mpiaudit
