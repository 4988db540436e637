// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpiaudit {

/// The names of the operations that under_test::State numbers, and the expected duration of a call
/// (s).
struct TestedOperations {
    std::string problem;
    std::vector<std::string> names;
    double expected_s = 0.0;
};

/// Sets the names that reports of hangs and crashes use. No operation may be under test.
void name_tested(TestedOperations operations);

/// Makes hangs and crashes write a note for --resume: a file incident-RANK in this folder with five
/// lines: problem, operation, event, whether the cause is clear, and the kind of the fault.
/// \param remedy printed at the end
void note_incidents_in(const std::string& folder, const std::string& remedy);

inline constexpr char watchdog_thread_name[] = "mpiaudit-watch";

/// While this object lives, a thread of each rank watches the operation under test. If an operation
/// makes no progress for too long although all ranks of the node use processors or sleep, the ranks
/// of a node report the operation and the state of each rank, and all exit with the exit code. They
/// also do so if the harness's own messages between the calls do not arrive: a host or its link is
/// gone. The thread calls no MPI function and sleeps, so samples are not affected. mpi/incident.h
/// reports crashes. While a second Watchdog lives, the first one watches nothing.
class Watchdog {
  public:
    /// Starts the thread. Collective. \param hang_after_s limit in seconds; nullopt: the larger of
    /// 60 s and 100 times the expected duration
    Watchdog(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm);
    ~Watchdog();
    /// Sets the report that the thread makes if nothing has moved for half of the limit (another
    /// rank may find the hang first, and the launcher then kills all ranks) or if a signal asks to
    /// end while the MPI thread is stuck; once per hang. `report` returns the text. It must not
    /// call MPI or take a lock of the MPI thread. An empty function removes the report;
    /// set_report() then waits until a running report has ended.
    void set_report(std::function<std::string()> report);
    /// Ends all ranks of the node with an exit code, from a signal handler of one rank: launchers
    /// kill the other ranks when the first one exits, and may return what these end with. Returns
    /// if no Watchdog lives, or if its thread does not end this rank.
    static void end_node(int code);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

  private:
    class Thread;
    std::unique_ptr<Thread> thread_;
};

}  // namespace mpiaudit
