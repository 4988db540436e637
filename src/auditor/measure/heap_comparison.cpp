// SPDX-License-Identifier: BSD-3-Clause
#include "measure/heap_comparison.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "collectives/bcast/bcast.h"
#include "machine/machine.h"
#include "messages/agreement.h"
#include "messages/under_test.h"
#include "mpi/texts.h"
#include "random/random_bits.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

// Least bytes of a problem whose buffers in the library can reach 128 KiB, the size of large
// blocks.
constexpr Count least_problem_bytes = 64 << 10;
// Calls of each operation in a row, of which the fastest counts: the first one adapts the heap.
constexpr int calls = 3;

bool is_large(const Problem& problem) {
    return problem.padded_total() * static_cast<Count>(problem.element->extent()) >=
           least_problem_bytes;
}

/// Returns the contestants that are one call of an operation of the library and can run.
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

/// Returns the fastest time of each contestant in the batch; on rank 0.
std::vector<double> fastest(const Batch& batch, std::size_t contestants) {
    std::vector<double> fastest_s(contestants, 1e30);
    for (std::size_t i = 0; i < batch.samples_s.size(); ++i) {
        double& own_s = fastest_s[static_cast<std::size_t>(batch.order[i])];
        own_s = std::min(own_s, batch.samples_s[i]);
    }
    return fastest_s;
}

/// Measures how much memory a call of each operation of the library takes, on the rank with the
/// most, with the young heap, which returns large blocks at once. Leaves the heap grown.
/// Collective.
void find_memory_of_calls(const PreparedProblem& problem, std::uint64_t order_seed) {
    if (!is_large(problem.planned.problem())) return;
    const std::vector<int> operations = operations_of_the_library(problem);
    Rounds rounds = rounds_of(problem, order_seed);
    std::vector<double> taken(operations.size());
    int failed = -1;
    set_heap(Heap::young);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        forget_peak();
        // If the kernel cannot reset the peak, calls seem to take no memory.
        const std::int64_t before = peak_bytes();
        failed = std::max(failed, rounds.run(std::span(&operations[i], 1), 1).failed);
        taken[i] = static_cast<double>(peak_bytes() - before);
    }
    set_heap(Heap::grown);
    failed = decided_by_rank_0(failed, problem.protocol.comm);
    if (failed >= 0) record_failure(rounds, failed, problem.prepared, problem.protocol.comm);
    const under_test::InHarness in_harness;
    take_largest(taken, problem.protocol.comm);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        auto& growth = problem.prepared.growth[static_cast<std::size_t>(operations[i])];
        if (growth) growth->call_bytes = taken[i];
    }
}

/// Returns 1 for each check of which one side is an operation of the library that is slower with
/// one heap (machine/machine.h) than with the other: by more than the tolerance in each of a few
/// pairs of calls, which equal times pass with a probability of 5 %. Returns 0 for all checks if
/// the problem is small, or if the pairs would take more than `limit_s` seconds. Leaves the heap
/// grown. Collective.
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
    // The evidence for each contestant that the young heap is slower, and that the grown heap is
    // slower.
    std::vector<std::array<judge::EvidenceProcess, 2>> slower;
    for (std::size_t i = 0; i < contestants; ++i)
        slower.push_back({judge::EvidenceProcess(rule, i), judge::EvidenceProcess(rule, i)});
    int failed = -1;  // contestant that returned an error; on rank 0
    const int pairs = slower.front().front().earliest_decision();
    const double begin_s = wall_time_s();
    for (int pair = 0; pair < pairs; ++pair) {
        // Fewer pairs would not decide anything.
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
    if (failed >= 0) record_failure(rounds, failed, problem.prepared, protocol.comm);
    const under_test::InHarness in_harness;
    binomial_Bcast(changed.data(), static_cast<int>(changed.size()), MPI_CHAR, 0, protocol.comm);
    return changed;
}

}  // namespace

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

}  // namespace mpiaudit
