// SPDX-License-Identifier: BSD-3-Clause
// Defines class Problems, by_value() and in_turns() of plan.h.
#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

template <class T>
T named(const std::string& name) {
    return or_usage_error([&] { return T(name); });
}

/// Block sizes of an audit with spread sizes. Regular blocks, to which all operations apply, have
/// most sizes; each other distribution has a few sizes of its own. `even` spreads b elements over
/// all ranks, so that ranks have at most one element.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> sizes_of_spread = {{
    {"same", "1..262144:x4"},
    {"even", "1,8,64"},
    {"random", "2..20000:x100"},
    {"spikes", "7..70000:x100"},
    {"decreasing", "4..40000:x100"},
    {"alternating", "6..60000:x100"},
    {"two-blocks", "1..10000:x100"},
}};
constexpr std::string_view other_sizes_of_spread = "1..100000:x10";

std::string_view sizes_in_spread(std::string_view distribution) {
    const auto* const found = find_in(sizes_of_spread, distribution,
                                      &std::pair<std::string_view, std::string_view>::first);
    return found == nullptr ? other_sizes_of_spread : found->second;
}

std::vector<Count> sizes_of(const BlockSizes& block_sizes, const std::string& distribution) {
    return block_sizes.is_spread ? parse_sizes(sizes_in_spread(distribution)) : block_sizes.all;
}

}  // namespace

Types::Types(const std::string& named_element, const std::string& named_op,
             const application::Selection* selection, std::span<const Look> looks)
    : element{named<Element>(named_element)}, op{named<Operator>(named_op)} {
    for (const Look& each : looks) {
        elements.try_emplace(each.element, each.element);
        operators.try_emplace(each.op, each.op);
    }
    if (selection == nullptr) return;
    for (const application::SelectedProblem& each : selection->problems) {
        elements.try_emplace(each.element, each.element);
        if (!each.op.empty()) operators.try_emplace(each.op, each.op);
    }
}

Problems::Problems(const Inputs& inputs, const InputOptions& options, const Types& types, int ranks,
                   NodeSplit nodes)
    : inputs_{&inputs},
      types_{&types},
      ranks_{ranks},
      seed_{options.seed},
      has_network_{!options.network.empty()},
      memory_{*options.memory_kind},
      is_spread_{options.block_sizes->is_spread},
      nodes_{std::move(nodes)} {
    // Problems of an application have roots of their own, and no neighbours.
    if (inputs.selection) return;
    root_ = options.root->among(ranks);
    or_usage_error([&] {
        graph_ = std::make_shared<const Graph>(
            inputs.graph ? parse_graph(inputs.graph->text, inputs.graph->origin, ranks)
                         : make_graph(options.graph, ranks));
        for (std::size_t i = 0; i < inputs.distributions.size(); ++i) {
            const Distribution& distribution = inputs.distributions[i];
            std::vector<Count> sizes{0};
            if (const Look* look = look_of(inputs, i))
                sizes = parse_sizes(look->block_sizes);
            else if (!distribution.is_explicit())
                sizes = sizes_of(*options.block_sizes, distribution.name);
            for (std::size_t b = 0; b < sizes.size(); ++b)
                places_.push_back({i, sizes[b], b + 1 < sizes.size() ? sizes[b + 1] : 0});
        }
    });
}

std::size_t Problems::size() const {
    return inputs_->selection ? inputs_->selection->problems.size() : places_.size();
}

Problem Problems::make(std::size_t place) const {
    if (inputs_->selection) return made(inputs_->selection->problems[place]);
    return or_usage_error([&] { return made(places_[place]); });
}

std::optional<Problem> Problems::make_next(std::size_t place) const {
    if (inputs_->selection || places_[place].next == 0) return std::nullopt;
    return or_usage_error([&] { return made({places_[place].distribution, places_[place].next}); });
}

std::size_t Problems::add(const SweepPoint& place) {
    places_.push_back(place);
    return places_.size() - 1;
}

const Look* Problems::look(std::size_t place) const {
    return inputs_->selection ? nullptr : look_of(*inputs_, places_[place].distribution);
}

Problem Problems::made(const SweepPoint& place) const {
    const Distribution& distribution = inputs_->distributions[place.distribution];
    const Count block_size = place.block_size;
    Problem problem;
    problem.distribution = distribution.name;
    problem.counts = block_sizes(distribution, ranks_, block_size, root_, seed_);
    problem.block_size = block_size > 0 ? block_size : (problem.total() + ranks_ / 2) / ranks_;
    problem.root = root_;
    problem.element = &types_->element;
    problem.op = &types_->op;
    if (const Look* look = look_of(*inputs_, place.distribution)) {
        problem.root = AsGiven<Root>(look->root)->among(ranks_);
        problem.element = &types_->elements.at(look->element);
        problem.op = &types_->operators.at(look->op);
    }
    problem.graph = graph_;
    problem.has_network = has_network_;
    put_in_place(problem);
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
    put_in_place(problem);
    return problem;
}

void Problems::put_in_place(Problem& problem) const {
    problem.memory = memory_;
    problem.nodes = nodes_.nodes;
    problem.ranks_per_node = nodes_.ranks_per_node;
    problem.node_of_rank = nodes_.node_of_rank;
}

namespace {

/// Returns 0 for the middle one of ascending sizes, 1 for the smallest, 2 for the largest, 3 for
/// all others.
int rank_of_size(const std::vector<Count>& sizes, Count size) {
    if (size == sizes[sizes.size() / 2]) return 0;
    if (size == sizes.front()) return 1;
    return size == sizes.back() ? 2 : 3;
}

}  // namespace

std::vector<std::size_t> by_value(const Plan& plan) {
    const std::vector<ProblemOutline>& problems = plan.problems;
    std::vector<std::size_t> order(problems.size());
    std::iota(order.begin(), order.end(), 0);
    // Problems of an application are sorted already.
    if (!problems.empty() && problems.front().worth_s) return order;
    std::map<std::string_view, int> distributions;  // distribution -> place
    std::map<std::string_view, std::set<Count>> sizes;
    for (const ProblemOutline& each : problems) {
        distributions.try_emplace(each.distribution, static_cast<int>(distributions.size()));
        if (!each.has_reduced_checks) sizes[each.distribution].insert(each.block_size);
    }
    using Value = std::tuple<int, int, int>;
    const auto value = [&](std::size_t place) {
        const ProblemOutline& problem = problems[place];
        const auto& own = sizes[problem.distribution];
        const int size = problem.has_reduced_checks
                             ? 3
                             : rank_of_size({own.begin(), own.end()}, problem.block_size);
        const int distribution = distributions[problem.distribution];
        // Sizes in between of the first distribution decide where ranges of violations begin and
        // end.
        if (distribution == 0) return size < 3 ? Value{0, size, 0} : Value{2, 0, 0};
        return Value{std::array{1, 3, 5, 4}[static_cast<std::size_t>(size)], size, distribution};
    };
    std::ranges::stable_sort(order, {}, value);
    return order;
}

std::vector<std::size_t> in_turns(const ProblemOutline& planned) {
    const auto is_of_reference = [&](const PlannedCheck& check) {
        return planned.contestants[check.right].path.has_reference();
    };
    std::vector<std::size_t> order(planned.checks.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
        const PlannedCheck& check = planned.checks[i];
        if (!is_of_reference(check) || planned.predicted_s.empty()) return 0.0;
        const double predicted_s = planned.predicted_s[check.right];
        return predicted_s < 0 ? std::numeric_limits<double>::infinity() : predicted_s;
    });
    using Operation = std::pair<std::string_view, bool>;  // operation, true against a reference
    std::map<Operation, std::size_t> seen;
    std::vector<std::pair<std::size_t, bool>> turn(order.size());
    for (const std::size_t i : order) {
        const PlannedCheck& check = planned.checks[i];
        const Path& left = planned.contestants[check.left].path;
        const bool is_reference = is_of_reference(check);
        turn[i] = {seen[{left.steps.front().arrow->name, is_reference}]++, !is_reference};
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t check) { return turn[check]; });
    return order;
}

}  // namespace mpiaudit
