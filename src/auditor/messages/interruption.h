// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::interruption {

/// From now on SIGUSR1, SIGINT and SIGTERM ask the program to end well: batch systems send the
/// first before the time limit, launchers one of the others for Ctrl-C and before they take the
/// nodes. Who asks again a second later ends the process at once. To be called before MPI_Init, so
/// that the first second counts, and after it, since a library may set its own.
void listen();

/// Each of these signals also rings a bell for a thread that waits for it while the one that calls
/// MPI is stuck. Whether it has rung within that time, since it was heard last.
bool is_rung_within(double seconds);
/// Rings it without a signal.
void ring();

/// The signal that this rank has got; 0 for none.
int received();
const char* name(int signal);

}  // namespace mpiaudit::interruption
