// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "application/recording.h"

namespace mpiaudit::application {

/// Four ranks on two hosts, in the groups 0-3 and 1,3; no problems.
Recording small_recording();

/// A blocking call with integers on all ranks, which takes 2 s over the ranks.
Problem small_problem(const std::string& collective);

}  // namespace mpiaudit::application
