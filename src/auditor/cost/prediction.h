// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <mpi.h>

#include "catalogue/arrow.h"
#include "catalogue/trace_of.h"
#include "guidelines/guideline.h"
#include "problem/operator.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Predicts the time of a path (s) as the sum over its steps. Returns nullopt if a step
/// - is an operation of the MPI library, whose algorithm is unknown,
/// - is an algorithm for links of several speeds: the model has one speed,
/// - takes too long to record while the other ranks wait: every algorithm on more than 774 ranks.
std::optional<double> predict(const Path& path, const Problem& problem, LinearModel model);

/// Returns a lower bound (s) of every algorithm between the two layouts: the time in which data of
/// one rank reach p ranks, where some rank depends on p ranks or p ranks depend on it, and the
/// bytes that some rank must send or receive behind one start-up; the longer of both. Without nodes
/// in the model these are ceil(log2 p) start-ups and the time of the bytes, which do not overlap.
/// Returns nullopt if no collective runs between the layouts.
std::optional<double> lower_bound(Layout from, Layout to, const Problem& problem,
                                  LinearModel model);

/// The fastest transmission of a message of this size (s).
struct Transmission {
    double bytes;
    double time_s;
};

/// Fits alpha (s) and beta (s per byte), neither negative, by the smallest sum of squared relative
/// errors: the times span several orders of magnitude.
LinearModel fit_line(std::span<const Transmission> transmissions);

/// Fits the model of this machine in about half of a second: alpha and beta from a ping-pong
/// between the first and the last rank while the others wait, overheads from bursts of short
/// messages between the first rank and up to four others, gamma from mpiaudit's own arithmetic for
/// `op` (0 if `op` is not defined for the elements), the time of a copied byte from copies that fit
/// into a cache. Returns the same model on all ranks, nullopt on a single rank. Collective.
/// \param processors_of_a_rank processing units of the first node over its ranks; 0 if unknown.
/// Only the value on rank 0 counts
std::optional<LinearModel> fit_model(MPI_Comm comm, const Element& element, const Operator& op,
                                     double processors_of_a_rank = 0);

}  // namespace mpiaudit
