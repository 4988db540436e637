// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "mpi/watchdog.h"

/// What a rank says when its process is about to end, from a signal handler or from a thread beside
/// one that hangs: nothing here allocates, locks or calls MPI.
namespace mpiaudit::incident {

/// The operation of a number in under_test::State, and the problem; empty when nothing is known.
std::string_view operation_name(int operation);
std::string_view problem_name();
double expected_s();
std::string_view remedy();

/// Notes in a file of this rank that the operation `what`. \param what in words: "hangs: ..."
void note(int rank, int operation, std::string_view what);
void write_error(std::string_view text);

/// From now on a signal that a crash brings says which operation was under test on this rank.
void name_crashes(int rank);

}  // namespace mpiaudit::incident
