// SPDX-License-Identifier: BSD-3-Clause
#include "measure/protocol.h"

#include "messages/agreement.h"
#include "messages/interruption.h"
#include "simulation/platform.h"
#include "text/exit_code.h"

namespace mpiaudit {

bool Protocol::looks_again() const {
    return !options.no_communication && !options.shared_buffers && !platform().time_stands_still;
}

void end_if_interrupted(MPI_Comm comm) {
    const int signal = largest_of_ranks(interruption::received(), comm);
    if (signal != 0) throw Interrupted{signal};
}

// So that what was used before a turn is gone, whatever it is that a cache throws out first.
constexpr double times_the_caches = 2.0;

Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine) {
    if (buffers != BufferChoice::rotate) return {};
    if (machine.last_level_cache_bytes == 0.0)
        throw UsageError(
            "--buffers rotate: the size of the last-level cache is not known here; use cold");
    return {.all_bytes = times_the_caches * machine.last_level_cache_bytes,
            .rank_bytes = static_cast<double>(memory_bytes)};
}

}  // namespace mpiaudit
