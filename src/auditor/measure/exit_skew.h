// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/problem_rounds.h"

namespace mpiaudit {

/// Measures how late ranks leave each barrier of the problem (record::ContestantDescription,
/// exit_skew_s): the ranks enter the barrier together, by a clock that all ranks share, and the
/// measure is the time from the first exit to the last exit. Does nothing on a problem without
/// MPI_Barrier, and on one rank. Takes a fifth of a second. Collective.
/// \param is_recorded whether this rank has the record
void measure_exit_skew(const PreparedProblem& problem, bool is_recorded,
                       record::ProblemRecord& record);

}  // namespace mpiaudit
