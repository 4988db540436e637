// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "trace/linear_model.h"
#include "guidelines/path.h"

namespace mpiaudit {

/// What the cost of an arrow on a problem depends on; `padded`: all blocks are as long as the
/// largest one.
CostProblem cost_problem(const Problem& problem, bool padded);

/// Seconds that a path takes in the model: those of its steps one after the other. Nothing when it
/// uses an operation of the MPI library, whose algorithm is unknown, or on more than 316 ranks,
/// where a schedule may have so many messages that the other ranks would wait for it.
std::optional<double> predict(const Path& path, const Problem& problem, LinearModel model);

/// Seconds that no algorithm between the two layouts can do without: ceil(log2 p) start-ups, p
/// being the number of ranks of which one depends or that depend on one, and the bytes that some
/// rank has to send or to receive at least. Nothing where no collective runs between the layouts.
std::optional<double> lower_bound(Layout from, Layout to, const Problem& problem,
                                  LinearModel model);

}  // namespace mpiaudit
