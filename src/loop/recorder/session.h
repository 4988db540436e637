// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "interposition/library.h"
#include "recorder/table.h"

namespace mpiaudit::recorder {

/// Ranks in MPI_COMM_WORLD of communicators with the same ranks in the same order.
struct Group {
    std::uint64_t hash = 0;
    application::Ranks ranks;
    int own_rank = 0;
    std::int64_t communicators = 0;
};

enum class Phase {
    before,  ///< MPI has not started, or its start was not seen
    on,
    off  ///< the recording is written, or the process is not recorded
};

/// State of the recording of one process, from the start of MPI to its end.
struct Session {
    Phase phase = Phase::before;
    bool is_paused = false;  ///< by MPI_Pcontrol(0)
    bool is_synchronised = false;
    bool is_threaded = false;     ///< several threads may call MPI at the same time
    bool is_start_known = false;  ///< all ranks saw MPI_Init and so take part in the merge
    int rank = 0, ranks = 1;
    std::int64_t process = 0;
    std::string host, library, threads, program;
    std::string output;  ///< absolute, as the application may change its folder
    std::int64_t start_ticks = 0, start_ns = 0;
    std::vector<Group> groups;
    Table table;
    Sites sites;
    Totals lost;
    std::int64_t start_delay_ns = 0;  ///< delay_ns() at the start
    bool has_failed = false;          ///< a file could not be written

    explicit Session(std::size_t most_problems) : table(most_problems) {}
};

/// Never freed, because it is used after static objects are destroyed.
extern Session& session;

/// Locks the tables of the session while several threads may call MPI.
class Locked {
  public:
    Locked() {
        if (!session.is_threaded) return;
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Locked() {
        if (session.is_threaded) flag_.clear(std::memory_order_release);
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    inline static std::atomic_flag flag_;
};

/// Returns the nanoseconds in which this thread was ready to run but had no core; 0 if not known.
std::int64_t delay_ns();

/// Starts recording after MPI has started.
/// \param is_start_known whether all ranks call this, in MPI_Init
void start(bool is_start_known);
/// Starts recording if MPI_Init was not seen (MPI sessions, or a library in between). Returns
/// whether recording is on.
bool start_late();
/// Writes a file with the recording of this rank alone, without calling MPI. \param reason for
/// people
void write_part(const char* reason);

/// A communicator with the index of its group in Session::groups.
struct Communicator : RankInComm {
    explicit Communicator(MPI_Comm comm);
    ~Communicator();
    std::uint32_t group = 0;
};
/// Returns the properties of the communicator; the first call finds its group.
const Communicator& communicator_of(MPI_Comm comm);

}  // namespace mpiaudit::recorder
