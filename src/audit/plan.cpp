// SPDX-License-Identifier: BSD-3-Clause
#include "audit/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "problem/size_range.h"

namespace mpiaudit {
namespace {

std::string readable_bytes(double bytes) {
    if (bytes < 1024.0 * 1024) return fmt::format("{:.1f} KiB", bytes / 1024);
    if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.1f} MiB", bytes / 1024 / 1024);
    return fmt::format("{:.1f} GiB", bytes / 1024 / 1024 / 1024);
}

std::string too_large(Count needed, std::uint64_t allowed) {
    return fmt::format("needs {} per rank, {} allowed (--memory)",
                       readable_bytes(static_cast<double>(needed)),
                       readable_bytes(static_cast<double>(allowed)));
}

/// The contestant with this path, made when there is none.
std::size_t contestant(PlannedProblem& planned, const Path& path, std::uint64_t memory,
                       bool second_copy) {
    const std::string name = path.name + (second_copy ? " #2" : "");
    const auto found = std::ranges::find_if(planned.contestants, [&](const Contestant& each) {
        return each.name == name && each.path.describe() == path.describe();
    });
    if (found != planned.contestants.end())
        return static_cast<std::size_t>(found - planned.contestants.begin());
    std::optional<std::string> skipped = path.obstacle(planned.problem);
    const Count bytes = path.needs().bytes(planned.problem);
    if (!skipped && static_cast<std::uint64_t>(bytes) > memory) skipped = too_large(bytes, memory);
    planned.contestants.push_back({name, path, std::move(skipped)});
    return planned.contestants.size() - 1;
}

/// All contestants of a problem keep their buffers at the same time.
void limit_memory(PlannedProblem& planned, std::uint64_t memory) {
    const Count bytes = planned.needs().bytes(planned.problem);
    if (static_cast<std::uint64_t>(bytes) <= memory) return;
    for (Contestant& each : planned.contestants) {
        if (!each.skipped) each.skipped = too_large(bytes, memory);
    }
}

}  // namespace

Needs PlannedProblem::needs() const {
    Needs needs;
    for (const Contestant& each : contestants) {
        if (!each.skipped) needs.add(each.path.needs());
    }
    return needs;
}

int root_rank(const std::string& root, int ranks) {
    if (root == "half") return ranks / 2;
    int rank = -1;
    const auto [end, failure] = std::from_chars(root.data(), root.data() + root.size(), rank);
    if (failure != std::errc{} || end != root.data() + root.size())
        throw UsageError(fmt::format("--root: '{}' is neither a rank nor half", root));
    if (rank < 0 || rank >= ranks)
        throw UsageError(
            fmt::format("--root: there is no rank {} among {} rank{}; give 0 to {}, or half", rank,
                        ranks, ranks == 1 ? "" : "s", ranks - 1));
    return rank;
}

std::vector<Problem> make_problems(const Inputs& inputs, const RunOptions& options,
                                   const Element& element, int ranks) {
    const int root = root_rank(options.root, ranks);
    std::vector<Problem> problems;
    try {
        const std::vector<Count> sizes = parse_sizes("--block-sizes", options.block_sizes);
        if (sizes.front() == 0)
            throw UsageError(
                "--block-sizes: b = 0 leaves nothing to move; for empty blocks among others use "
                "the "
                "distribution two-blocks or --counts");
        for (const Distribution& each : inputs.distributions) {
            for (const Count b : each.is_explicit() ? std::vector<Count>{0} : sizes) {
                Problem problem;
                problem.distribution = each.name;
                problem.counts = block_sizes(each, ranks, b, root, options.seed);
                problem.block_size = b > 0 ? b : (problem.total() + ranks / 2) / ranks;
                problem.root = root;
                problem.element = &element;
                problems.push_back(std::move(problem));
            }
        }
    } catch (const UsageError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
    return problems;
}

Plan make_plan(const Inputs& inputs, const RunOptions& options, const Element& element, int ranks,
               std::uint64_t memory_per_rank_bytes) {
    Plan plan;
    for (Problem& problem : make_problems(inputs, options, element, ranks)) {
        PlannedProblem planned{std::move(problem), {}, {}};
        for (std::size_t g = 0; g < inputs.guidelines.size(); ++g) {
            const Inequality& inequality = inputs.guidelines[g].inequality;
            // An operation against itself needs two contestants, or nothing would be compared.
            const bool same = inequality.left.describe() == inequality.right.describe();
            const std::size_t left =
                contestant(planned, inequality.left, memory_per_rank_bytes, false);
            const std::size_t right =
                contestant(planned, inequality.right, memory_per_rank_bytes, same);
            planned.checks.push_back({g, left, right});
        }
        limit_memory(planned, memory_per_rank_bytes);
        for (const PlannedCheck& check : planned.checks)
            plan.checkable += planned.is_checkable(check);
        plan.problems.push_back(std::move(planned));
    }
    return plan;
}

}  // namespace mpiaudit
