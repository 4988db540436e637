// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::interruption {

/// Makes SIGUSR1, SIGINT and SIGTERM ask the program to end in order. Batch systems send SIGUSR1
/// before the time limit, launchers send one of the others for Ctrl-C and before they take the
/// nodes. A second SIGINT or SIGTERM more than a second later ends the process at once. Call this
/// function before MPI_Init, and again after it, since a library may set its own handlers.
void listen();

/// Waits up to `seconds` for one of these signals or wake(), for a thread that watches the one that
/// calls MPI. Returns true if one came since the last call that returned true.
bool is_woken_within(double seconds);
/// Wakes is_woken_within() without a signal.
void wake();

/// Returns the first signal that this rank, or a rank that `others` of ask_others() knows of, has
/// received, or 0.
int received();
/// Returns the first signal that this rank itself has received, or 0.
int own_signal();
/// Makes received() call this function until it returns a signal; null: none. The function must not
/// wait.
void ask_others(int (*others)());
/// Returns SIGUSR1, SIGINT, SIGHUP or SIGTERM.
const char* name(int signal);

}  // namespace mpiaudit::interruption
