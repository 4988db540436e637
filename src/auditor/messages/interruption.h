// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::interruption {

/// From now on SIGUSR1, SIGINT and SIGTERM ask the program to end well: batch systems send the
/// first before the time limit, launchers one of the others for Ctrl-C and before they take the
/// nodes. Who asks again a second later ends the process at once. To be called before MPI_Init, so
/// that the first second counts, and after it, since a library may set its own.
void listen();

/// From now on each of these signals also writes a byte to this file, for a thread that waits there
/// while the one that calls MPI is stuck; -1: to none.
void tell(int file);

/// The signal that this rank has got; 0 for none.
int received();
const char* name(int signal);

}  // namespace mpiaudit::interruption
