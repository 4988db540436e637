// SPDX-License-Identifier: BSD-3-Clause
#include "record/tails.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "judge/statistics.h"
#include "operations/tails.h"

namespace mpiaudit::record {
namespace {

bool calls_operation(const Way& way, const std::string& operation) {
    return std::ranges::any_of(way.terms, [&](const Term& each) {
        return each.form.is_of_mpi() && each.form.operation == operation;
    });
}

double usual_s(const Contestant& contestant, std::size_t rounds) {
    return judge::median(std::span(contestant.samples_s).first(rounds));
}

/// Returns the factor between two times; infinite if one of them is 0.
double distance(double a_s, double b_s) {
    if (a_s == b_s) return 1.0;
    const auto [least_s, most_s] = std::minmax(a_s, b_s);
    return least_s > 0.0 ? most_s / least_s : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<TailPair> tail_pairs(const ProblemRecord& problem, std::size_t rounds) {
    // A better pair has a smaller rank.
    using Rank = std::pair<bool, double>;
    std::map<std::size_t, std::pair<Rank, std::size_t>> best;  // by left side
    for (const Check& check : problem.checks) {
        const Contestant& left = problem.contestants[check.left];
        const Contestant& right = problem.contestants[check.right];
        if (!has_judged_tail(left.name.way()) || check.left == check.right) continue;
        if (std::min(left.samples_s.size(), right.samples_s.size()) < rounds) continue;
        const std::string& operation = left.name.way().terms.front().form.operation;
        const Rank rank{calls_operation(right.name.way(), operation),
                        distance(usual_s(left, rounds), usual_s(right, rounds))};
        const auto [known, is_new] = best.try_emplace(check.left, rank, check.right);
        if (!is_new && rank < known->second.first) known->second = {rank, check.right};
    }
    std::vector<TailPair> pairs;
    for (const auto& [left, right] : best) pairs.push_back({left, right.second});
    return pairs;
}

}  // namespace mpiaudit::record
