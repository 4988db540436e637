// SPDX-License-Identifier: BSD-3-Clause
#include "plan/problems.h"

#include <fmt/format.h>

#include <charconv>

#include "options/size_range.h"
#include "text/usage_error.h"

namespace mpiaudit {
namespace {

template <class T>
T named(const std::string& name) {
    try {
        return T(name);
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

/// Why problems cannot be made of the inputs, as one of the user's.
template <class Make>
auto or_usage_error(const Make& make) {
    try {
        return make();
    } catch (const UsageError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

std::vector<Count> sizes_of(const std::string& block_sizes) {
    std::vector<Count> sizes = parse_sizes("--block-sizes", block_sizes);
    if (sizes.front() == 0)
        throw UsageError(
            "--block-sizes: b = 0 leaves nothing to move; for empty blocks among others use the "
            "distribution two-blocks or --counts");
    return sizes;
}

}  // namespace

Types::Types(const RunOptions& options, const application::Selection* selection)
    : element{named<Element>(options.element)}, op{named<Operator>(options.op)} {
    if (selection == nullptr) return;
    for (const application::SelectedProblem& each : selection->problems) {
        elements.try_emplace(each.element, each.element);
        if (!each.op.empty()) operators.try_emplace(each.op, each.op);
    }
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

Problems::Problems(const Inputs& inputs, const RunOptions& options, const Types& types, int ranks,
                   NodeSplit nodes)
    : inputs_{&inputs},
      types_{&types},
      ranks_{ranks},
      seed_{options.seed},
      has_network_{!options.network.empty()},
      nodes_{std::move(nodes)} {
    // Those of an application know their roots, and no neighbours.
    if (inputs.selection) return;
    root_ = root_rank(options.root, ranks);
    or_usage_error([&] {
        graph_ = std::make_shared<const Graph>(
            inputs.graph ? parse_graph(inputs.graph->text, inputs.graph->origin, ranks)
                         : make_graph(options.graph, ranks));
        const std::vector<Count> sizes = sizes_of(options.block_sizes);
        for (std::size_t i = 0; i < inputs.distributions.size(); ++i) {
            const bool is_explicit = inputs.distributions[i].is_explicit();
            for (const Count b : is_explicit ? std::vector<Count>{0} : sizes)
                places_.emplace_back(i, b);
        }
        return 0;
    });
}

std::size_t Problems::size() const {
    return inputs_->selection ? inputs_->selection->problems.size() : places_.size();
}

bool Problems::has_next(std::size_t place) const {
    return place + 1 < places_.size() && places_[place + 1].first == places_[place].first;
}

Problem Problems::make(std::size_t place) const {
    if (inputs_->selection) return made(inputs_->selection->problems[place]);
    const auto [distribution, block_size] = places_[place];
    return or_usage_error(
        [&, at = distribution, b = block_size] { return made(inputs_->distributions[at], b); });
}

Problem Problems::made(const Distribution& distribution, Count block_size) const {
    Problem problem;
    problem.distribution = distribution.name;
    problem.counts = block_sizes(distribution, ranks_, block_size, root_, seed_);
    problem.block_size = block_size > 0 ? block_size : (problem.total() + ranks_ / 2) / ranks_;
    problem.root = root_;
    problem.element = &types_->element;
    problem.op = &types_->op;
    problem.graph = graph_;
    problem.has_network = has_network_;
    put_on_nodes(problem);
    return problem;
}

Problem Problems::made(const application::SelectedProblem& selected) const {
    Problem problem;
    problem.distribution = selected.name;
    problem.counts = selected.counts;
    problem.root = selected.root;
    problem.element = &types_->elements.at(selected.element);
    problem.op = selected.op.empty() ? &types_->op : &types_->operators.at(selected.op);
    problem.block_size = (problem.total() + problem.ranks() / 2) / problem.ranks();
    put_on_nodes(problem);
    return problem;
}

void Problems::put_on_nodes(Problem& problem) const {
    problem.nodes = nodes_.nodes;
    problem.ranks_per_node = nodes_.ranks_per_node;
    problem.node_of_rank = nodes_.node_of_rank;
}

}  // namespace mpiaudit
