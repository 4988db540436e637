// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "measure/prepared.h"
#include "measure/rounds_record.h"
#include "plan/plan.h"
#include "record/audit_record.h"

namespace mpiaudit {

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
