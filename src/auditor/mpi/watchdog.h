// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpiaudit {

/// What the numbers of under_test::State mean, and how long one call may be expected to take.
struct TestedOperations {
    std::string problem;
    std::vector<std::string> names;
    double expected_s = 0.0;
};

/// From now on hangs and crashes are named by these. No operation may be under test.
void name_tested(TestedOperations operations);

/// Where what hangs or crashes is noted for --resume: a file incident-RANK in this folder, with
/// the problem, the operation, what happened and whether that is clear, a line each. \param remedy
/// is said in the end
void note_incidents_in(const std::string& folder, const std::string& remedy);

/// The name of the watchdog's thread, as the kernel knows it.
inline constexpr char watchdog_thread_name[] = "mpiaudit-watch";

/// While it lives, a thread of each rank looks now and then whether the operation under test goes
/// on. When one does not for too long, the ranks of a node say which and where each of them is, and
/// all end with the exit code. So they do when the ranks' own messages between the calls
/// do not arrive: a host or its link is gone. Needs nothing of the MPI library; it sleeps, and what
/// is timed does not see it. For crashes see mpi/incident.h.
class Watchdog {
  public:
    /// \param hang_after_s none: the larger of 60 s and 100 times what is expected. Collective.
    Watchdog(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm);
    ~Watchdog();
    /// What this rank's thread does when nothing has moved for half of that time, since another
    /// rank may find that it hangs before this one and the launcher then ends all, and when a
    /// signal asks to end and the thread that calls MPI is stuck; once for each time that it is
    /// stuck. That thread may still hang: no MPI, and nothing that it could hold. None: nothing any
    /// more; returns when it is not being done. \param report what to say of it
    void set_report(std::function<std::string()> report);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

  private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace mpiaudit
