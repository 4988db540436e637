// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.h"

namespace mpiaudit {

/// The places of the problems: those that are verified alone, then those first that tell most, so
/// that an audit which ends early has looked at everything once: a medium, a small and a large size
/// of the first distribution, a medium and a small size of all others, all sizes in between, and at
/// last the large ones, which take as much time as all of these. Of an application's problems those
/// first that take it most time.
std::vector<std::size_t> by_value(const Plan& plan);

/// The places of the checks of a problem, one of each operation in turn, so that a part of them
/// speaks of all operations: first one against a reference algorithm, then another one, and so on.
/// Of the reference algorithms those first that are predicted to be the fastest.
std::vector<std::size_t> in_turns(const ProblemOutline& planned);

}  // namespace mpiaudit
