// SPDX-License-Identifier: BSD-3-Clause
#include "measure/measurement.h"

#include <algorithm>

#include "machine/machine.h"
#include "measure/exit_skew.h"
#include "measure/heap_comparison.h"
#include "measure/problem_rounds.h"
#include "measure/protocol.h"
#include "measure/tail_rounds.h"
#include "measure/verification.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// Largest share of a problem's time limit for verification.
constexpr double share_of_verification = 0.35;
/// Time of the last verification, as a share of the time of the first one.
constexpr double share_of_last_verification = 0.5;

/// Runs rounds whose samples start in the window of the global clock.
RoundsRecord run_in_window(const PreparedProblem& problem, std::uint64_t order_seed,
                           double limit_s) {
    GlobalClock& clock = *problem.protocol.global_clock;
    clock.refresh();
    StartWindow window(problem.protocol.comm, clock);
    RoundsRecord rounds = run_rounds(problem, order_seed, limit_s, &window);
    const ClockAgreement agreement = clock.check();
    rounds.window.ahead_s = window.ahead_s();
    rounds.window.clock_error_s = std::max(agreement.error_s, rounds.window.clock_error_s);
    rounds.window.clock_round_trip_s = agreement.round_trip_s;
    return rounds;
}

/// Whether rounds were run in the window and not one could be kept, so that a barrier has to do;
/// where ranks are to come one by one it cannot. Collective.
bool is_useless(const RoundsRecord& rounds, const Protocol& protocol) {
    const bool lost_all = rounds.order.empty() && rounds.window.has_dropped();
    return largest_of_ranks(lost_all && protocol.arrivals == nullptr ? 1 : 0, protocol.comm) != 0;
}

/// Takes the samples as the protocol starts them. If no round in the window of the global clock
/// could be kept, takes samples after a barrier instead.
void take_samples(const PreparedProblem& problem, double limit_s, bool is_recorded,
                  record::ProblemRecord& record) {
    const Protocol& protocol = problem.protocol;
    const auto add = [&](RoundsRecord rounds) {
        if (is_recorded) add_rounds(std::move(rounds), !protocol.options.warmup, record);
    };
    const double begin_s = wall_time_s();
    if (protocol.options.sync->in_window) {
        RoundsRecord rounds = run_in_window(problem, protocol.order_seed, limit_s);
        record.window = rounds.window;
        if (!is_useless(rounds, protocol)) {
            add(std::move(rounds));
            return;
        }
        record.window->instead = std::string(protocol.barrier().name);
    }
    add(run_rounds(problem, protocol.order_seed, limit_s - (wall_time_s() - begin_s), nullptr));
}

/// Marks contestants without samples as skipped if the problem had no time left.
void leave_out(record::ProblemRecord& record) {
    if (record.stopped != record::Stopped::budget) return;
    if (record.window && record.window->has_dropped()) return;
    for (record::Contestant& each : record.contestants) {
        if (!each.skipped && !each.wrong) each.skipped = Reason{ReasonKind::no_time};
    }
}

}  // namespace

record::ProblemRecord measure_problem(const PlannedProblem& planned,
                                      const std::vector<Guideline>& guidelines,
                                      const Protocol& protocol, double limit_s,
                                      const std::vector<KnownIncident>& incidents) {
    const int rank = messages::rank_in(protocol.comm);
    const double start = steady_time_s();
    const double wall_start = wall_time_s();
    double tails_s = 0.0;
    record::ProblemRecord record;
    // Only rank 0 has a record: thousands of simulated ranks share one memory.
    if (rank == 0) record = unmeasured(planned, guidelines);
    record.stopped = record::Stopped::budget;
    if (!protocol.options.warmup) record.warm_up.settled = false;
    if (limit_s > 0) {
        const Workspaces workspaces(planned, protocol);
        Prepared prepared =
            prepare(planned, workspaces, protocol, limit_s * share_of_verification, incidents);
        // The last verification takes time, too.
        const double verified_s =
            protocol.verifies_again() ? share_of_last_verification * prepared.verification_s : 0.0;
        const PreparedProblem problem{planned, guidelines, protocol, workspaces, prepared};
        const auto left_s = [&] {
            return limit_s + tails_s - (wall_time_s() - wall_start) - verified_s;
        };
        if (protocol.rotation.all_bytes > 0.0)
            record.buffer_sets = static_cast<int>(workspaces.sets());
        const bool is_paced = !platform().time_stands_still && !protocol.options.no_communication;
        const double before_s = is_paced ? barrier_time_s(protocol) : 0.0;
        take_samples(problem, left_s(), rank == 0, record);
        if (is_paced) record.barrier = {before_s, barrier_time_s(protocol)};
        measure_exit_skew(problem, rank == 0, record);
        const double tails_begin_s = steady_time_s();
        measure_tails(problem, record);
        tails_s = steady_time_s() - tails_begin_s;
        if (protocol.options.heap == HeapChoice::both && !protocol.options.sync->in_window)
            compare_heaps(problem, left_s(), rank == 0, record);
        if (rank == 0) add_findings(prepared, record);
    }
    if (rank == 0 && record.order.empty()) leave_out(record);
    record.elapsed_s = steady_time_s() - start - tails_s;
    return record;
}

bool Protocol::verifies_again() const {
    return !options.no_communication && !options.shared_buffers && !platform().time_stands_still;
}

void end_if_interrupted(MPI_Comm comm) {
    const int signal = largest_of_ranks(interruption::received(), comm);
    if (signal != 0) throw Interrupted{signal};
}

// Sets of buffers together exceed the outermost caches by this factor, so that a set has left the
// caches before its next turn, whatever the replacement policy.
constexpr double times_the_caches = 2.0;

Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine) {
    if (buffers != BufferChoice::rotate) return {};
    return {.all_bytes = times_the_caches * machine.outermost_cache_bytes,
            .rank_bytes = static_cast<double>(memory_bytes)};
}

}  // namespace mpiaudit
