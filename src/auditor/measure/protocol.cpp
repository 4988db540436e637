// SPDX-License-Identifier: BSD-3-Clause
#include "measure/protocol.h"

#include "messages/agreement.h"
#include "messages/interruption.h"
#include "simulation/platform.h"
#include "text/exit_code.h"

namespace mpiaudit {

bool Protocol::looks_again() const {
    return !no_communication && !shared_buffers && !platform().time_stands_still;
}

void end_if_interrupted(MPI_Comm comm) {
    const int signal = largest_of_ranks(interruption::received(), comm);
    if (signal != 0) throw Interrupted{signal};
}

Protocol make_protocol(const ProtocolOptions& options, const judge::Rule& rule,
                       const RankNetwork* network, GlobalClock* global_clock,
                       std::uint64_t order_seed, const ArrivalPattern* arrivals,
                       const Rotation& rotation) {
    return {.comm = MPI_COMM_WORLD,
            .clock = *options.clock,
            .starts = *options.sync,
            .global_clock = global_clock,
            .warmup = options.warmup,
            .max_rounds = options.max_rounds,
            .time_per_problem_s = options.time_per_problem->count,
            .rule = rule,
            .order_seed = order_seed,
            .network = network,
            .arrivals = arrivals,
            .buffers = options.buffers,
            .rotation = rotation,
            .compares_heaps = options.heap == HeapChoice::both,
            .keeps_rank_times = options.rank_times,
            .in_a_row = options.in_a_row,
            .no_communication = options.no_communication,
            .shared_buffers = options.shared_buffers};
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
