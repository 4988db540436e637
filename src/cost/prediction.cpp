// SPDX-License-Identifier: BSD-3-Clause
#include "cost/prediction.h"

#include <algorithm>
#include <bit>

#include "collectives/reduce/reduction.h"

namespace mpiaudit {
namespace {

using enum Holding;

// About a twentieth of a second of computing on one rank while the others wait, for each of the
// algorithms that send so many.
constexpr std::int64_t most_messages = 300'000;

/// What some rank depends on, or what depends on some rank.
struct Demand {
    int ranks;           ///< that rank included
    std::int64_t bytes;  ///< that some rank has to send or to receive
};

/// Of a gather to or a scatter from the root.
Demand rooted_demand(const CostProblem& problem) {
    int ranks = 1;
    for (int rank = 0; rank < problem.ranks(); ++rank)
        ranks += rank != problem.root && problem.bytes(rank) > 0;
    return {ranks, problem.bytes() - problem.bytes(problem.root)};
}

Demand exchange_demand(const CostProblem& problem) {
    Demand most{1, 0};
    for (int rank = 0; rank < problem.ranks(); ++rank) {
        int partners = 0;
        for (int other = 0; other < problem.ranks(); ++other)
            partners += other != rank && problem.bytes_between(rank, other) > 0;
        most.ranks = std::max(most.ranks, 1 + partners);
        most.bytes = std::max(most.bytes, problem.bytes() - problem.bytes_between(rank, rank));
    }
    return most;
}

std::optional<Demand> demand(Holding from, Holding to, const CostProblem& problem) {
    const int all = problem.bytes() > 0 ? problem.ranks() : 1;
    const std::int64_t smallest = problem.element_bytes * *std::ranges::min_element(problem.blocks);
    if ((from == scattered && to == rooted) || (from == rooted && to == scattered))
        return rooted_demand(problem);
    if (from == outgoing && to == incoming) return exchange_demand(problem);
    if (from == apart && to == together) return Demand{problem.ranks(), 0};
    // The rank with the smallest block has to get, or to give away, everything else.
    if ((from == scattered && to == replicated) || (from == contributed && to == scattered))
        return Demand{all, problem.bytes() - smallest};
    if ((from == rooted && to == replicated) ||
        (from == contributed &&
         (to == rooted || to == replicated || to == prefixed || to == exclusively_prefixed)))
        return Demand{all, problem.bytes()};
    return std::nullopt;
}

std::optional<double> predict(const PathStep& step, const Problem& problem, LinearModel model) {
    const Arrow& arrow = *step.arrow;
    // Copies are free in the model; what is left of the local arrows reduces its operands.
    if (arrow.kind == Kind::view || arrow.is_silent()) return 0.0;
    const CostProblem cost = cost_problem(problem, step.padded);
    if (arrow.name == "MPI_Reduce_local") return model.gamma * static_cast<double>(cost.bytes());
    if (arrow.schedule == nullptr) return std::nullopt;
    // Every algorithm sends at most about 3 messages for every pair of ranks.
    if (3 * static_cast<std::int64_t>(cost.ranks()) * cost.ranks() > most_messages)
        return std::nullopt;
    return arrow.schedule(cost).time(model);
}

}  // namespace

CostProblem cost_problem(const Problem& problem, bool padded) {
    CostProblem cost;
    cost.blocks = problem.counts;
    if (padded) std::ranges::fill(cost.blocks, problem.largest());
    cost.element_bytes = static_cast<std::int64_t>(problem.element->data_bytes());
    cost.root = problem.root;
    cost.is_commutative = problem.op->is_commutative();
    cost.is_predefined = is_predefined(problem.op->op());
    return cost;
}

std::optional<double> predict(const Path& path, const Problem& problem, LinearModel model) {
    double time_s = 0.0;
    for (const PathStep& step : path.steps) {
        const std::optional<double> step_s = predict(step, problem, model);
        if (!step_s) return std::nullopt;
        time_s += *step_s;
    }
    return time_s;
}

std::optional<double> lower_bound(Layout from, Layout to, const Problem& problem,
                                  LinearModel model) {
    const CostProblem cost = cost_problem(problem, false);
    if (cost.ranks() == 1) return 0.0;
    const std::optional<Demand> needed = demand(from.holding, to.holding, cost);
    if (!needed) return std::nullopt;
    const int rounds = std::bit_width(static_cast<unsigned>(needed->ranks) - 1U);
    return rounds * model.alpha + model.beta * static_cast<double>(needed->bytes);
}

}  // namespace mpiaudit
