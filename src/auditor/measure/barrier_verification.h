// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "measure/protocol.h"
#include "messages/under_test.h"

namespace mpiaudit {

/// Runs a barrier with one rank or another coming late: who leaves it tells the late one, which has
/// not come yet as long as it has not heard of any. So a barrier is never accused for being slow;
/// one that lets a rank pass too early is found but for an unlucky scheduler. Returns what is wrong
/// on this rank. Collective; only the first `members` ranks have to wait for each other.
std::optional<std::string> find_early_leaver(const Call& barrier, MPI_Comm comm, int members);

/// The library's barrier is wrong, which brings the ranks together: no time behind it means what it
/// should. Thrown on all ranks alike.
class WrongBarrier : public std::runtime_error {
  public:
    explicit WrongBarrier(const std::string& what)
        : std::runtime_error("WRONG: MPI_Barrier, which brings the ranks together (--sync): " +
                             what + "; --sync dissemination does without it") {}
};

/// Throws WrongBarrier where the protocol uses the library's barrier and it is wrong. Collective.
void require_right_barrier(const Protocol& protocol);

/// What it takes to bring the ranks together, in the median of a few times; seconds. Collective.
double barrier_time_s(const Protocol& protocol);

}  // namespace mpiaudit
