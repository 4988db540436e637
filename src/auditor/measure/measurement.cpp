// SPDX-License-Identifier: BSD-3-Clause
#include "measure/measurement.h"

#include <algorithm>

#include "machine/memory.h"
#include "measure/barrier_verification.h"
#include "measure/problem_rounds.h"
#include "messages/agreement.h"
#include "messages/messages.h"
#include "random/random_bits.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

/// Of the limit of a problem, at most: what is verified has still to be measured. At small sizes
/// that takes less time than verifying it does.
constexpr double share_of_verification = 0.35;
/// What it takes of the time of the first verification to look at all once more in the end.
constexpr double share_of_last_look = 0.5;

/// The rounds in the window of the global clock, with what is recorded of it.
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

/// Takes the samples in the one or two ways that the protocol asks for; two have half of the time
/// each, and orders of their own.
void take_samples(const PreparedProblem& problem, double limit_s, bool is_recorded,
                  record::ProblemRecord& record) {
    const Protocol& protocol = problem.protocol;
    const bool both = protocol.options.sync->after_barrier && protocol.options.sync->in_window;
    const auto add_first = [&](RoundsRecord rounds) {
        if (is_recorded) add_rounds(std::move(rounds), !protocol.options.warmup, record);
    };
    if (both) limit_s /= 2;
    if (protocol.options.sync->after_barrier)
        add_first(run_rounds(problem, protocol.order_seed, limit_s, nullptr));
    if (!protocol.options.sync->in_window) return;
    const double begin_s = wall_time_s();
    RoundsRecord rounds =
        run_in_window(problem, protocol.order_seed + (both ? second_way : 0), limit_s);
    record.window = rounds.window;
    if (both) {
        record.second = second_way_of(std::move(rounds));
        return;
    }
    if (!is_useless(rounds, protocol)) {
        add_first(std::move(rounds));
        return;
    }
    record.window->instead = std::string(protocol.options.sync->barrier.name);
    add_first(
        run_rounds(problem, protocol.order_seed, limit_s - (wall_time_s() - begin_s), nullptr));
}

/// The checks that another heap changes once more, with that one: what first calls pay.
void compare_heaps(const PreparedProblem& problem, double limit_s, bool is_recorded,
                   record::ProblemRecord& record) {
    const Protocol& protocol = problem.protocol;
    const double begin_s = wall_time_s();
    if (largest_of_ranks(limit_s <= 0.0 ? 1 : 0, protocol.comm) != 0) return;
    find_memory_of_calls(problem, protocol.order_seed + comparison_of_heaps);
    const std::vector<char> changed =
        checks_that_the_heap_changes(problem, protocol.order_seed + comparison_of_heaps, limit_s);
    if (std::ranges::count(changed, 1) == 0) return;
    set_heap(Heap::young);
    RoundsRecord rounds = run_rounds(problem, protocol.order_seed + other_heap,
                                     limit_s - (wall_time_s() - begin_s), nullptr, changed);
    set_heap(Heap::grown);
    if (is_recorded) record.young_heap = std::move(rounds);
}

/// For want of time nothing was measured.
void leave_out(record::ProblemRecord& record) {
    if (record.stopped != record::Stopped::budget) return;
    if (record.window && record.window->has_dropped()) return;
    for (record::Contestant& each : record.contestants) {
        if (!each.skipped && !each.wrong) each.skipped = record::no_time_left;
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
    record::ProblemRecord record;
    // Nowhere else: thousands of simulated ranks have one memory.
    if (rank == 0) record = unmeasured(planned, guidelines);
    record.stopped = record::Stopped::budget;
    if (!protocol.options.warmup) record.warm_up.settled = false;
    if (limit_s > 0) {
        const Workspaces workspaces(planned, protocol);
        Prepared prepared =
            prepare(planned, workspaces, protocol, limit_s * share_of_verification, incidents);
        // What is verified at the end takes time, too.
        const double verified_s =
            protocol.looks_again() ? share_of_last_look * prepared.look_s : 0.0;
        const PreparedProblem problem{planned, guidelines, protocol, workspaces, prepared};
        const auto left_s = [&] { return limit_s - (wall_time_s() - wall_start) - verified_s; };
        if (protocol.rotation.all_bytes > 0.0)
            record.buffer_sets = static_cast<int>(workspaces.sets());
        const bool is_paced = !platform().time_stands_still && !protocol.options.no_communication;
        const double before_s = is_paced ? barrier_time_s(protocol) : 0.0;
        take_samples(problem, left_s(), rank == 0, record);
        if (is_paced) record.barrier = {before_s, barrier_time_s(protocol)};
        if (protocol.options.heap == HeapChoice::both && protocol.options.sync->after_barrier)
            compare_heaps(problem, left_s(), rank == 0, record);
        if (rank == 0) add_findings(prepared, record);
    }
    if (rank == 0 && record.order.empty()) leave_out(record);
    record.elapsed_s = steady_time_s() - start;
    return record;
}

record::ProblemRecord verify_forms(const PlannedProblem& planned, const Protocol& protocol,
                                   double limit_s, const std::vector<KnownIncident>& incidents) {
    const double start_s = wall_time_s();
    record::ProblemRecord record = unmeasured(planned, {});
    Protocol with_one_set = protocol;
    with_one_set.rotation = {};
    const Workspaces workspaces(planned, with_one_set);
    add_findings(prepare(planned, workspaces, with_one_set, limit_s, incidents), record);
    record.elapsed_s = wall_time_s() - start_s;
    return record;
}

}  // namespace mpiaudit
