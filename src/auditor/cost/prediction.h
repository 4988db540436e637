// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <mpi.h>

#include "catalogue/arrow.h"
#include "guidelines/guideline.h"
#include "problem/operator.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Seconds that a path takes in the model: those of its steps one after the other. Nothing when it
/// uses an operation of the MPI library, whose algorithm is unknown, or one that is made for links
/// that differ, of which the model knows nothing, or one whose recording would take so long that
/// the other ranks would wait for it, as all do on more than 774 ranks.
std::optional<double> predict(const Path& path, const Problem& problem, LinearModel model);

/// Seconds that no algorithm between the two layouts can do without: ceil(log2 p) start-ups, p
/// being the number of ranks of which one depends or that depend on one, and the bytes that some
/// rank has to send or to receive at least. Nothing where no collective runs between the layouts.
std::optional<double> lower_bound(Layout from, Layout to, const Problem& problem,
                                  LinearModel model);

/// What the ranks of a reference algorithm do on a problem: recorded from the algorithm itself, on
/// this rank alone and without the data. `padded`: all blocks are as long as the largest one.
/// Throws TooLong as replay() does.
Trace trace_of(const Arrow& arrow, const Problem& problem, bool padded,
               std::int64_t most_steps = std::numeric_limits<std::int64_t>::max());

/// The fastest transmission of a message of this size.
struct Transmission {
    double bytes;
    double time_s;
};

/// The alpha (seconds) and beta (seconds per byte) with the smallest sum of squares of relative
/// errors; relative, because the times span several orders of magnitude. Neither is negative.
LinearModel fit_line(std::span<const Transmission> transmissions);

/// The model of this machine, in about a quarter of a second: alpha and beta from a ping-pong
/// between the first and the last rank while the others wait, gamma from our own arithmetic for
/// `op`, or 0 where `op` is not defined for the elements. The same on all ranks; nothing on a
/// single one, which has nobody to talk to. Collective.
std::optional<LinearModel> fit_model(MPI_Comm comm, const Element& element, const Operator& op);

}  // namespace mpiaudit
