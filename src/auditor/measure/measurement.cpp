// SPDX-License-Identifier: BSD-3-Clause
#include "measure/measurement.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "collectives/bcast/bcast.h"
#include "machine/machine.h"
#include "measure/problem_rounds.h"
#include "measure/protocol.h"
#include "measure/verification.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"
#include "text/exit_code.h"

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
    record.window->instead = std::string(protocol.barrier().name);
    add_first(
        run_rounds(problem, protocol.order_seed, limit_s - (wall_time_s() - begin_s), nullptr));
}

// A library's buffers are of the problem's size: with less than this none reaches 128 KiB.
constexpr Count least_bytes = 64 << 10;
// Of which the fastest counts: the first one makes the heap what it is for the others.
constexpr int calls = 3;

bool is_large(const Problem& problem) {
    return problem.padded_total() * static_cast<Count>(problem.element->extent()) >= least_bytes;
}

std::vector<int> operations_of_the_library(const PreparedProblem& problem) {
    std::vector<int> operations;
    for (std::size_t i = 0; i < problem.planned.contestants.size(); ++i) {
        const Path& path = problem.planned.contestants[i].path;
        if (path.steps.size() == 1 && path.steps.front().arrow->kind != Kind::reference &&
            problem.prepared.can_run(i))
            operations.push_back(static_cast<int>(i));
    }
    return operations;
}

/// The fastest of a few calls of each operation; on rank 0.
std::vector<double> fastest(const Batch& batch, std::size_t contestants) {
    std::vector<double> fastest_s(contestants, 1e30);
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i) {
        double& own_s = fastest_s[static_cast<std::size_t>(batch.order[i])];
        own_s = std::min(own_s, batch.samples_s[i]);
    }
    return fastest_s;
}

/// Finds how much memory a call of each of the library's operations takes, with the young heap,
/// from which large blocks go back at once; of the rank where it is most. Nothing where there is
/// little data. Leaves the heap grown. Collective.
void find_memory_of_calls(const PreparedProblem& problem, std::uint64_t order_seed) {
    if (!is_large(problem.planned.problem())) return;
    const std::vector<int> operations = operations_of_the_library(problem);
    Rounds rounds = rounds_of(problem, order_seed);
    std::vector<double> taken(operations.size());
    int failed = -1;
    set_heap(Heap::young);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        forget_peak();
        // Where the kernel forgets nothing, calls seem to take nothing.
        const std::int64_t before = peak_bytes();
        failed = std::max(failed, rounds.run(std::span(&operations[i], 1), 1).failed);
        taken[i] = static_cast<double>(peak_bytes() - before);
    }
    set_heap(Heap::grown);
    failed = decided_by_rank_0(failed, problem.protocol.comm);
    if (failed >= 0) blame(rounds, failed, problem.prepared, problem.protocol.comm);
    const under_test::InHarness in_harness;
    take_largest(taken, problem.protocol.comm);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        auto& growth = problem.prepared.growth[static_cast<std::size_t>(operations[i])];
        if (growth) growth->call_bytes = taken[i];
    }
}

/// 1 for each check of the problem one of whose sides, an operation of the library, takes longer
/// with one heap (machine/machine.h) than with the other, by more than the tolerance: in each of a
/// few pairs of calls, which an equal pair passes with a probability of 5 %. No check where there
/// is little data, since no block is large then, and none where the pairs would take more than
/// `limit_s` seconds. Leaves the heap grown. Collective.
std::vector<char> checks_that_the_heap_changes(const PreparedProblem& problem,
                                               std::uint64_t order_seed, double limit_s) {
    const PlannedProblem& planned = problem.planned;
    std::vector<char> changed(planned.checks.size());
    const std::vector<int> operations = operations_of_the_library(problem);
    if (!is_large(planned.problem()) || operations.empty()) return changed;
    const Protocol& protocol = problem.protocol;
    Rounds rounds = rounds_of(problem, order_seed);
    const judge::Rule rule{.tolerance = protocol.rule.tolerance};
    const std::size_t contestants = planned.contestants.size();
    // Of each contestant: slower with the young heap, slower with the grown one.
    std::vector<std::array<judge::EvidenceProcess, 2>> slower;
    for (std::size_t i = 0; i < contestants; ++i)
        slower.push_back({judge::EvidenceProcess(rule, i), judge::EvidenceProcess(rule, i)});
    int failed = -1;  // on rank 0; once it is one it stays
    const int pairs = slower.front().front().earliest_decision();
    const double begin_s = wall_time_s();
    for (int pair = 0; pair < pairs; ++pair) {
        // Fewer pairs would show nothing.
        const double elapsed_s = wall_time_s() - begin_s;
        const bool fits = pair == 0 ? limit_s > 0.0 : elapsed_s * pairs / pair <= limit_s;
        if (largest_of_ranks(fits ? 0 : 1, protocol.comm) != 0) break;
        std::array<std::vector<double>, 2> samples_s;
        for (int turn = 0; turn < 2; ++turn) {
            const auto heap = static_cast<Heap>((pair + turn) % 2);
            set_heap(heap);
            const Batch batch = rounds.run(operations, calls);
            failed = batch.failed;
            samples_s[static_cast<std::size_t>(heap)] = fastest(batch, contestants);
        }
        const auto& [young_s, grown_s] = samples_s;
        for (std::size_t i = 0; i < contestants; ++i) {
            slower[i][0].add(young_s[i], grown_s[i]);
            slower[i][1].add(grown_s[i], young_s[i]);
        }
    }
    set_heap(Heap::grown);
    const auto differs = [&](std::size_t contestant) {
        return std::ranges::any_of(slower[contestant], [](const judge::EvidenceProcess& each) {
            return each.verdict() == judge::Verdict::violated;
        });
    };
    for (std::size_t i = 0; i < planned.checks.size(); ++i)
        changed[i] = differs(planned.checks[i].left) || differs(planned.checks[i].right);
    failed = decided_by_rank_0(failed, protocol.comm);
    if (failed >= 0) blame(rounds, failed, problem.prepared, protocol.comm);
    const under_test::InHarness in_harness;
    binomial_Bcast(changed.data(), static_cast<int>(changed.size()), MPI_CHAR, 0, protocol.comm);
    return changed;
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
