// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "catalogue/arrow.h"
#include "messages/observer.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Who learns the data of a recorded call, beside its messages.
struct Watcher {
    Observer* observer = nullptr;
    /// Called with the places of the data before and after the call, for each rank that begins.
    std::function<void(int rank, const Place& from, const Place& result)> prepared = {};
};

/// Records the messages of all ranks of a reference algorithm on a problem, on this rank alone and
/// without data. \param padded all blocks are as long as the largest one \throws TooLong as
/// replay() does
Trace trace_of(const Arrow& arrow, const Problem& problem, bool padded,
               std::int64_t most_steps = std::numeric_limits<std::int64_t>::max(),
               const Watcher& watcher = {});

}  // namespace mpiaudit
