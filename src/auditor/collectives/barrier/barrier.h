// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace mpiaudit {

/// A process sends an empty message to the process 2^k after it and receives one from the process
/// 2^k before it in round k: ceil(log2 p) rounds and no bytes (Hensgen, Finkel & Manber 1988;
/// Thakur & Gropp 2003, section 4.1).
int dissemination_Barrier(MPI_Comm comm);

/// In round i a process sends empty messages to the processes at the distances j k^i, 0 < j < k,
/// all at once: ceil(log_k p) rounds (n-way dissemination: Hoefler, Mehlan, Mietke & Rehm, IPDPS
/// 2006). UCC and UCX use such radices.
int dissemination_Barrier_radix4(MPI_Comm comm);
int dissemination_Barrier_radix8(MPI_Comm comm);

/// Processes meet in pairs; the lower one goes on and waits for the next, as in a tournament.
/// Process 0 wins and wakes the others in the reversed order: 2 ceil(log2 p) rounds and 2 (p-1)
/// messages (Hensgen, Finkel & Manber 1988).
int tournament_Barrier(MPI_Comm comm);

}  // namespace mpiaudit
