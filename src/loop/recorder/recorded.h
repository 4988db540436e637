// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interposition/arguments.h"
#include "interposition/library.h"
#include "recorder/session.h"

namespace mpiaudit::recorder {

/// Returns whether the application makes this call while recording is on. Starts recording if
/// MPI_Init was not seen.
inline bool is_recording() {
    if (depth != 0) return false;
    if (session.phase == Phase::on) return !session.is_paused;
    return session.phase == Phase::before && start_late();
}

/// Returns the entry of the call's problem, a new one if needed; null if there is no room or no
/// communicator.
Entry* entry_of(const char* collective, Shape shape, Mode mode, const Arguments& arguments);
/// Ticks at the begin and end of a call, and the ticks of the barrier before it.
struct CallTicks {
    std::int64_t begin, end, waiting;
};
/// Adds a call to its entry (or to the lost calls if null) and to its call site.
void add_call(Entry* entry, const Site& site, const Arguments& arguments, const CallTicks& ticks);

/// Calls the next function, and records its arguments and time. With --synchronise, a blocking
/// collective starts after a barrier.
template <class Next>
int recorded(const Site& site, const char* collective, Shape shape, Mode mode,
             const Arguments& arguments, const Next& next) {
    const Inside inside;
    Entry* entry = entry_of(collective, shape, mode, arguments);
    std::int64_t waiting = 0;
    std::int64_t begin = ticks();
    if (session.is_synchronised && mode == Mode::blocking && entry != nullptr &&
        !entry->key.is_inter) {
        PMPI_Barrier(arguments.comm);
        const std::int64_t met = ticks();
        waiting = met - begin;
        begin = met;
    }
    const int code = next();
    add_call(entry, site, arguments, {begin, ticks(), waiting});
    return code;
}

}  // namespace mpiaudit::recorder
