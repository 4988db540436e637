// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/problem_rounds.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// Looks for long calls in further rounds of the blocking operations of the library, each beside
/// another way: for PlannedProblem::tail_s seconds, first rounds until the evidence is clear or
/// most_tail_rounds are over, then some rounds of each pair in which ranks pause before each call.
/// Records the result in `record.tails`, which is complete on rank 0. Does nothing if tail_s is 0
/// and if samples start in a window. Collective.
/// \param record has the samples of the problem on rank 0, and is empty on other ranks
void measure_tails(const PreparedProblem& problem, record::ProblemRecord& record);

/// Rounds without a pause: one call in 200 is long 100 times, of which about 20 are enough.
inline constexpr int most_tail_rounds = 20000;
/// Pause before a call, in seconds: longer than the periods for which libraries poll.
inline constexpr double pause_before_call_s = 5e-3;

}  // namespace mpiaudit
