// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <span>

#include "trace/trace.h"

namespace mpiaudit {

/// The fastest transmission of a message of this size.
struct Transmission {
    double bytes;
    double time_s;
};

/// The alpha (seconds) and beta (seconds per byte) with the smallest sum of squares of relative
/// errors; relative, because the times span several orders of magnitude. Neither is negative.
LinearModel fit_line(std::span<const Transmission> transmissions);

/// The model of this machine, in about a quarter of a second: alpha and beta from a ping-pong
/// between the first and the last rank while the others wait, gamma from MPI_Reduce_local of `op`
/// on elements of `type`, or 0 where `op` is MPI_OP_NULL. The same on all ranks; nothing on a
/// single one, which has nobody to talk to. Collective.
std::optional<LinearModel> fit_model(MPI_Comm comm, MPI_Datatype type, MPI_Op op);

}  // namespace mpiaudit
