// SPDX-License-Identifier: BSD-3-Clause
#include "cost/prediction.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <vector>

namespace mpiaudit {
namespace {

using enum Holding;

// Limits the recording of one algorithm to a tenth or two tenths of a second.
constexpr std::int64_t most_steps = 600'000;

struct BlockBytes {
    explicit BlockBytes(const Problem& problem) : of{problem.counts} {
        for (std::int64_t& each : of) each *= static_cast<Count>(problem.element->data_bytes());
        total = std::accumulate(of.begin(), of.end(), std::int64_t{0});
    }
    int ranks() const { return static_cast<int>(of.size()); }
    std::int64_t between(int from, int to) const {
        return of[static_cast<std::size_t>((from + to) % ranks())];
    }

    std::vector<std::int64_t> of;
    std::int64_t total = 0;
};

/// The largest demand of a rank: it depends on `ranks` ranks, or they depend on it.
struct Demand {
    int ranks;           ///< including the rank itself
    std::int64_t bytes;  ///< that the rank must send or receive
};

/// Demand of the root in a gather or scatter.
Demand rooted_demand(const BlockBytes& bytes, int root) {
    const std::int64_t own = bytes.of[static_cast<std::size_t>(root)];
    const auto empty = static_cast<int>(std::ranges::count(bytes.of, 0));
    return {bytes.ranks() - empty + (own == 0), bytes.total - own};
}

Demand exchange_demand(const BlockBytes& bytes) {
    Demand most{1, 0};
    for (int rank = 0; rank < bytes.ranks(); ++rank) {
        int partners = 0;
        for (int other = 0; other < bytes.ranks(); ++other)
            partners += other != rank && bytes.between(rank, other) > 0;
        most.ranks = std::max(most.ranks, 1 + partners);
        most.bytes = std::max(most.bytes, bytes.total - bytes.between(rank, rank));
    }
    return most;
}

/// Returns the largest demand of any rank between two layouts; nullopt if no collective runs
/// between them.
std::optional<Demand> demand(Holding from, Holding to, const BlockBytes& bytes, int root) {
    const int all = bytes.total > 0 ? bytes.ranks() : 1;
    const std::int64_t smallest = *std::ranges::min_element(bytes.of);
    if ((from == scattered && to == rooted) || (from == rooted && to == scattered))
        return rooted_demand(bytes, root);
    if (from == outgoing && to == incoming) return exchange_demand(bytes);
    if (from == apart && to == together) return Demand{bytes.ranks(), 0};
    // The rank with the smallest block must receive, or send, everything else.
    if ((from == scattered && to == replicated) || (from == contributed && to == scattered))
        return Demand{all, bytes.total - smallest};
    if ((from == rooted && to == replicated) ||
        (from == contributed &&
         (to == rooted || to == replicated || to == prefixed || to == exclusively_prefixed)))
        return Demand{all, bytes.total};
    return std::nullopt;
}

/// Returns the least time (s) in which data of one rank reach `ranks` ranks, itself included: a
/// rank that has the data begins a message every `overhead` seconds, and each takes `alpha`
/// seconds.
double time_to_reach(int ranks, double alpha, double overhead) {
    std::priority_queue<double, std::vector<double>, std::greater<>> next_messages;
    next_messages.push(0.0);
    double time_s = 0.0;
    for (int reached = 1; reached < ranks; ++reached) {
        const double begin_s = next_messages.top();
        next_messages.pop();
        time_s = begin_s + alpha;
        next_messages.push(begin_s + overhead);
        next_messages.push(time_s);
    }
    return time_s;
}

std::optional<double> predict(const PathStep& step, const Problem& problem, LinearModel model) {
    const Arrow& arrow = *step.arrow;
    // Copies between algorithms count nothing; the remaining local arrow is a reduction.
    if (arrow.kind == Kind::view || arrow.is_silent()) return 0.0;
    if (arrow.name == "MPI_Reduce_local")
        return model.gamma *
               static_cast<double>((step.padded ? problem.padded_total() : problem.total()) *
                                   static_cast<Count>(problem.element->data_bytes()));
    if (arrow.kind != Kind::reference || (arrow.needs & a_network)) return std::nullopt;
    // The model does not know the costs of such an algorithm beside its messages.
    if (arrow.called_as != nullptr) return std::nullopt;
    try {
        return trace_of(arrow, problem, step.padded, most_steps).time(model);
    } catch (const TooLong&) {
        return std::nullopt;
    }
}

}  // namespace

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
    if (problem.ranks() == 1) return 0.0;
    const std::optional<Demand> needed =
        demand(from.holding, to.holding, BlockBytes(problem), problem.root);
    if (!needed) return std::nullopt;
    if (!model.nodes)
        return time_to_reach(needed->ranks, model.alpha, model.alpha) +
               model.beta * static_cast<double>(needed->bytes);
    // Messages may stay within a node, or all leave it. Gathers pay the receiver's overhead,
    // scatters the sender's.
    const NodeModel& nodes = *model.nodes;
    const bool has_within = nodes.ranks_per_node > 1,
               has_between = nodes.ranks_per_node < problem.ranks();
    double alpha = std::numeric_limits<double>::infinity(), beta = alpha, overhead = alpha;
    const auto allow = [&](double alpha_s, double beta_s, const NodeModel::Overhead& own) {
        alpha = std::min(alpha, alpha_s);
        beta = std::min(beta, beta_s);
        overhead = std::min({overhead, own.send, own.receive});
    };
    if (has_within) allow(nodes.alpha, nodes.beta, nodes.within);
    if (has_between) allow(model.alpha, model.beta, nodes.between);
    // Bytes of a message may travel during the overheads of others.
    if (needed->ranks == 1) return 0.0;
    return std::max(time_to_reach(needed->ranks, alpha, std::min(overhead, alpha)),
                    alpha + beta * static_cast<double>(needed->bytes));
}

}  // namespace mpiaudit
