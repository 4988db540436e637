// SPDX-License-Identifier: BSD-3-Clause
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

namespace mpiaudit {
namespace {

/// Of sizes in ascending order: the middle one 0, the smallest 1, the largest 2, all others 3.
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
    // Those of an application stand in the order of what they are worth.
    if (!problems.empty() && problems.front().worth_s) return order;
    std::map<std::string_view, int> distributions;  // with their places
    std::map<std::string_view, std::set<Count>> sizes;
    for (const ProblemOutline& each : problems) {
        distributions.try_emplace(each.distribution, static_cast<int>(distributions.size()));
        if (!each.is_of_some) sizes[each.distribution].insert(each.block_size);
    }
    using Value = std::tuple<int, int, int>;
    const auto value = [&](std::size_t place) {
        const ProblemOutline& problem = problems[place];
        if (problem.is_verification) return Value{-1, 0, 0};
        const auto& own = sizes[problem.distribution];
        const int size =
            problem.is_of_some ? 3 : rank_of_size({own.begin(), own.end()}, problem.block_size);
        const int distribution = distributions[problem.distribution];
        // Of the first distribution in between: there it is decided where ranges begin and end.
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
    using Operation = std::pair<std::string_view, bool>;  // and whether against a reference
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
