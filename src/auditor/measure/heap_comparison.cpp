// SPDX-License-Identifier: BSD-3-Clause
#include "measure/problem_rounds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "collectives/bcast/bcast.h"
#include "machine/memory.h"
#include "messages/agreement.h"
#include "messages/under_test.h"
#include "random/random_bits.h"

namespace mpiaudit {
namespace {

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

}  // namespace

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
    const under_test::Steering steering;
    take_largest(taken, problem.protocol.comm);
    for (std::size_t i = 0; i < operations.size(); ++i) {
        auto& growth = problem.prepared.growth[static_cast<std::size_t>(operations[i])];
        if (growth) growth->call_bytes = taken[i];
    }
}

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
    const under_test::Steering steering;
    binomial_Bcast(changed.data(), static_cast<int>(changed.size()), MPI_CHAR, 0, protocol.comm);
    return changed;
}

}  // namespace mpiaudit
