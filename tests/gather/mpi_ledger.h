// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// What this rank has made with MPI and not given back yet, counted through MPI's profiling
/// interface in the test program that this is linked into.
struct MpiLedger {
    long datatypes = 0;
    long requests = 0;
    bool operator==(const MpiLedger&) const = default;
};

MpiLedger mpi_ledger();

/// Point-to-point messages that this rank has sent, except to itself by MPI_Sendrecv.
long messages_sent();

}  // namespace mpiaudit
