// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

namespace mpiaudit::test {

/// What a collective call sent; local copies, which are messages of a process to itself, not
/// counted.
struct Trace {
    /// Rounds of the cost model of Thakur & Gropp, section 3, with messages that all take one: a
    /// process sends and receives at most one message at a time.
    int rounds = 0;
    std::vector<int> messages_sent;  ///< by each process
    std::vector<int> bytes_sent;
    std::vector<int> bytes_received;
    int datatypes_kept = 0;  ///< made and not freed, over all processes
};

/// Makes the call on a communicator of the first `size` processes. Collective over all processes of
/// MPI_COMM_WORLD; the result is the same on all of them.
Trace trace_of(const std::function<void(MPI_Comm)>& call, int size);

/// Logarithms to base 2 of a positive number, rounded down and up.
int floor_log2(int number);
int ceil_log2(int number);

/// Largest power of two that is at most `size`.
int power_of_two_in(int size);

/// Most rounds of recursive doubling among any number of processes: one for every level, and for
/// those levels whose last subtree is incomplete, h of 2^i processes in its upper half, ceil(lg(2^i
/// / h)) more at most until the lower half has everything.
int recursive_doubling_rounds(int size);

}  // namespace mpiaudit::test
