// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interposition/arguments.h"
#include "interposition/library.h"
#include "recorder/session.h"

namespace mpiaudit::recorder {

/// Whether a call is the application's, and to be recorded.
inline bool is_recording() {
    if (depth != 0) return false;
    if (session.phase == Phase::on) return !session.is_paused;
    return session.phase == Phase::before && start_late();
}

/// The entry of a call; null when there is no room for it, or no communicator.
Entry* entry_of(const char* collective, Shape shape, Mode mode, const Arguments& arguments);
/// When a call began and ended, and how long the ranks waited before that for each other.
struct CallTicks {
    std::int64_t begin, end, waiting;
};
/// Adds a call to an entry, or to what is lost, and to what was called from there.
void add_call(Entry* entry, const Site& site, const Arguments& arguments, const CallTicks& ticks);

/// Calls the function behind the wrapper, and notes what was asked for and how long it took.
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
