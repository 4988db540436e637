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

/// Ranks of MPI_COMM_WORLD that communicators have in the same order.
struct Group {
    std::uint64_t hash = 0;
    application::Ranks ranks;
    int own_rank = 0;
    std::int64_t communicators = 0;
};

enum class Phase {
    before,  ///< MPI has not started, or nobody has seen it start
    on,
    off  ///< recorded and written, or nothing to record
};

/// What one process records from the start of MPI to its end.
struct Session {
    Phase phase = Phase::before;
    bool is_paused = false;  ///< by MPI_Pcontrol(0)
    bool is_synchronised = false;
    bool is_threaded = false;     ///< threads call MPI side by side
    bool is_start_known = false;  ///< all ranks have seen MPI start, so that they meet at its end
    int rank = 0, ranks = 1;
    std::int64_t process = 0;
    std::string host, library, threads, program;
    std::string output;  ///< absolute: the application may change its folder
    std::int64_t start_ticks = 0, start_ns = 0;
    std::vector<Group> groups;
    Table table;
    Sites sites;
    Totals lost;
    std::int64_t start_delay_ns = 0;  ///< as delay_ns() has it
    bool has_failed = false;          ///< a file could not be written

    explicit Session(std::size_t most_problems) : table(most_problems) {}
};

/// Never freed: it is needed when static objects are gone.
extern Session& session;

/// Held while tables are read and written, where threads call MPI side by side.
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

/// How long this thread was ready without a processor since it started, since others had the
/// processors; 0 where the system does not tell.
std::int64_t delay_ns();

/// Starts to record, when MPI has started.
/// \param is_start_known whether this is called in MPI_Init, and so on all ranks
void start(bool is_start_known);
/// Starts when MPI_Init was not seen, as with sessions or a library between.
bool start_late();
/// Without MPI, which cannot be used any more: a file of this rank alone.
void write_part(const char* reason);

/// Index of the group of a communicator; throws nothing.
struct Communicator : Membership {
    explicit Communicator(MPI_Comm comm);
    ~Communicator();
    std::uint32_t group = 0;
};
const Communicator& communicator_of(MPI_Comm comm);

}  // namespace mpiaudit::recorder
