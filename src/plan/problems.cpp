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

void place(Problem& problem, const NodeSplit& nodes) {
    problem.nodes = nodes.nodes;
    problem.ranks_per_node = nodes.ranks_per_node;
    problem.node_of_rank = nodes.node_of_rank;
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

std::vector<Problem> selected_problems(const application::Selection& selection, const Types& types,
                                       const NodeSplit& nodes) {
    std::vector<Problem> problems;
    for (const application::SelectedProblem& each : selection.problems) {
        Problem& problem = problems.emplace_back();
        problem.distribution = each.name;
        problem.counts = each.counts;
        problem.root = each.root;
        place(problem, nodes);
        problem.element = &types.elements.at(each.element);
        problem.op = each.op.empty() ? &types.op : &types.operators.at(each.op);
        problem.block_size = (problem.total() + problem.ranks() / 2) / problem.ranks();
    }
    return problems;
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
                                   const Types& types, int ranks, const NodeSplit& nodes) {
    const int root = root_rank(options.root, ranks);
    std::vector<Problem> problems;
    try {
        const auto graph = std::make_shared<const Graph>(
            inputs.graph ? parse_graph(inputs.graph->text, inputs.graph->origin, ranks)
                         : make_graph(options.graph, ranks));
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
                problem.element = &types.element;
                problem.op = &types.op;
                problem.graph = graph;
                problem.has_network = !options.network.empty();
                place(problem, nodes);
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

}  // namespace mpiaudit
