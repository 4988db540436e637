// SPDX-License-Identifier: BSD-3-Clause
#include "plan/refinement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace mpiaudit {
namespace {

using Sizes = Refinement::Sizes;
using Answers = Refinement::Answers;

/// Seconds of verification and warm-up in a chosen problem. Chosen problems without samples took
/// 0.11 to 0.17 s on a busy machine (Open MPI 4.1.4, 2 ranks, 2 cores).
constexpr double fixed_s = 0.1;
/// Time of a check of a chosen problem over the time of a check at a measured size. Planned
/// problems have 1.2 contestants a check (median of a default audit), problems of few checks up to
/// 2: 1.7 times. The rest, 1.8, is for checks that need more rounds than the average.
constexpr double time_of_few_checks = 3.0;
/// Seconds of a check below which other checks are not cheaper: two checks, as many as an edge has
/// at least with a guideline at each end, share fixed_s.
constexpr double negligible_check_s = fixed_s / 2;
/// Share of the remaining time that a choice may be expected to take. If the expectation is too low
/// by a factor of 2, the audit still ends in time.
constexpr double share_of_rest = 0.5;

/// Problems beside a planned size. With 3 guidelines of an operation in each they try all
/// guidelines of an operation: 12 or fewer in 97 % of a default audit's problems, 13 at most.
constexpr Count most_beside = 4;

/// Two sizes within this factor tell the same about an operation: the square root of 1.1, below
/// which the gap at an edge is not worth a size (judge/ranges.h).
constexpr double same_size = 1.0488;

/// A gap between two sizes with an answer about an operation, or behind the last such size.
struct Gap {
    Count below, above;  ///< above: 0 behind the last size
    Count at;            ///< the size to be chosen
    double worth = 0.0;
    bool is_edge = false;
};

void add_strongest(const Refinement::Ratios& ratios, std::set<std::size_t>& chosen,
                   std::size_t most = strongest_of_operation) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [guideline, ratio] : ratios) order.emplace_back(-ratio, guideline);
    std::ranges::sort(order);
    order.resize(std::min(order.size(), most));
    for (const auto& [ratio, guideline] : order) chosen.insert(guideline);
}

/// Returns `size`, or the size behind it if the operation had no time at `size`; 0 if the operation
/// was tried at `size`, or if both sizes were measured.
Count untried_size(const Sizes& sizes, Count size, const std::string& operation) {
    const auto found = sizes.find(size);
    if (found == sizes.end()) return size;
    const auto known = found->second.operations.find(operation);
    const bool was_tried = known != found->second.operations.end() && known->second.was_tried;
    return was_tried || sizes.contains(size + 1) ? 0 : size + 1;
}

Gap gap_between(Count below, const Answers& at_below, Count above, const Answers& at_above) {
    const double middle = std::sqrt(static_cast<double>(below) * static_cast<double>(above));
    return {below, above, std::llround(middle), judge::worth_between(at_below.at, at_above.at),
            judge::is_edge(at_below.at, at_above.at)};
}

/// \param largest size that was planned: a size that was chosen beside it has no gap behind it
Gap gap_behind(Count last, Count largest) {
    const double factor = static_cast<double>(std::max(largest, last)) / static_cast<double>(last);
    return {last, 0, largest, std::log2(factor)};
}

Count largest_planned(const Sizes& sizes) {
    const auto found = std::ranges::find_if(
        sizes.rbegin(), sizes.rend(), [](const auto& each) { return !each.second.is_chosen; });
    return found == sizes.rend() ? 0 : found->first;
}

/// Returns the gaps of all operations that a further size tells more about.
std::vector<Gap> gaps_of(const Sizes& sizes) {
    std::vector<Gap> gaps;
    const auto add = [&](Gap gap, const std::string& operation) {
        gap.at = untried_size(sizes, gap.at, operation);
        if (gap.worth > 0.0 && gap.at != 0) gaps.push_back(gap);
    };
    std::map<std::string, std::pair<Count, const Answers*>> last;  // by operation
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations) {
            if (!operation.answers) continue;
            const auto [below, is_first] = last.try_emplace(name);
            if (!is_first)
                add(gap_between(below->second.first, *below->second.second, block_size,
                                *operation.answers),
                    name);
            below->second = {block_size, &*operation.answers};
        }
    }
    const Count largest = largest_planned(sizes);
    for (const auto& [name, below] : last) add(gap_behind(below.first, largest), name);
    return gaps;
}

/// Returns whether the operation with these answers around the gap is measured in the gap, too.
bool has_gap(const Gap& gap, const Answers* below, const Answers* above) {
    if (below == nullptr || (above == nullptr) != (gap.above == 0)) return false;
    if (below->at.size * same_size > static_cast<double>(gap.at)) return false;
    if (above == nullptr) return true;
    return judge::worth_between(below->at, above->at) > 0.0 &&
           (!gap.is_edge || judge::is_edge(below->at, above->at));
}

/// Returns the guidelines for a problem in the gap: of each operation with a gap there, at an edge
/// of each operation with an edge there, the guidelines with the largest ratios at both ends; at an
/// edge only violated guidelines.
std::vector<std::size_t> guidelines_in(const Gap& gap, const Sizes& sizes) {
    std::map<std::string, std::pair<const Answers*, const Answers*>> around;  // by operation
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations) {
            if (!operation.answers) continue;
            auto& [below, above] = around[name];
            if (block_size < gap.at) below = &*operation.answers;
            if (block_size > gap.at && above == nullptr) above = &*operation.answers;
        }
    }
    std::set<std::size_t> guidelines;
    for (const auto& [name, ends] : around) {
        const auto& [below, above] = ends;
        if (!has_gap(gap, below, above)) continue;
        const bool is_edge = above != nullptr && judge::is_edge(below->at, above->at);
        for (const Answers* each : {below, above}) {
            if (each == nullptr) continue;
            add_strongest(each->violated, guidelines);
            if (!is_edge && each->violated.empty()) add_strongest(each->held, guidelines);
        }
    }
    return {guidelines.begin(), guidelines.end()};
}

/// Returns the seconds of a check at the next larger size with a time, or at the largest one; 0 if
/// no size has a time.
double seconds_of_check(const Sizes& sizes, Count block_size) {
    double seconds = 0.0;
    for (const auto& [size, each] : sizes) {
        if (each.seconds_per_check <= 0.0) continue;
        seconds = each.seconds_per_check;
        if (size >= block_size) break;
    }
    return seconds;
}

std::set<std::string> tried_operations(const Sizes& sizes) {
    std::set<std::string> tried;
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations)
            if (operation.was_tried) tried.insert(name);
    }
    return tried;
}

/// The problems that were chosen right behind a planned size.
struct Beside {
    Count next;                           ///< the first size behind the planned one and these
    std::set<std::size_t> had_turn = {};  ///< guidelines that had no time in these problems
    std::set<std::size_t> begun = {};     ///< guidelines that had a turn and some time
};

Beside beside(const Sizes& sizes, Count planned) {
    Beside found{planned + 1};
    for (auto each = sizes.find(found.next); each != sizes.end(); each = sizes.find(++found.next)) {
        for (const auto& [name, operation] : each->second.operations) {
            found.had_turn.insert(operation.without_time.begin(), operation.without_time.end());
            found.begun.insert(operation.begun.begin(), operation.begun.end());
        }
    }
    return found;
}

/// Returns the planned sizes that have room for another problem beside them, the smallest first.
std::vector<std::pair<const Refinement::MeasuredSize*, Beside>> sizes_with_room(
    const Sizes& sizes) {
    std::vector<std::pair<const Refinement::MeasuredSize*, Beside>> found;
    for (const auto& [block_size, size] : sizes) {
        if (size.is_chosen) continue;
        Beside behind = beside(sizes, block_size);
        if (behind.next <= block_size + most_beside) found.emplace_back(&size, std::move(behind));
    }
    return found;
}

}  // namespace

Refinement::Refinement(std::vector<std::string> distributions, int most_checks)
    : distributions_{std::move(distributions)}, most_checks_{most_checks} {}

void Refinement::add(const ProblemResult& measured) {
    using enum CheckResult::Answer;
    MeasuredSize& size = measured_[measured.distribution][measured.block_size];
    size.is_chosen = measured.is_chosen;
    chosen_problems_ += measured.is_chosen;
    if (measured.seconds_per_check > 0.0) size.seconds_per_check = measured.seconds_per_check;
    for (const CheckResult& check : measured.checks) {
        chosen_checks_ += measured.is_chosen && check.was_begun;
        if (check.answer == not_possible) continue;
        OperationAtSize& operation = size.operations[check.operation];
        if (check.answer == left_out) {
            operation.left_out.emplace(check.predicted_s, check.guideline);
            continue;
        }
        if (check.was_begun) operation.begun.insert(check.guideline);
        if (check.answer == no_time) {
            operation.without_time.insert(check.guideline);
            continue;
        }
        operation.was_tried = true;
        if (check.answer == undecided) continue;
        if (!operation.answers) operation.answers.emplace();
        auto& [at, held, violated] = *operation.answers;
        const bool is_violated = check.answer == CheckResult::Answer::violated;
        at.size = static_cast<double>(measured.block_size);
        at.is_violated = at.is_violated || is_violated;
        at.time_s = check.left_s;
        if (is_violated) at.ratio = std::max(at.ratio, check.ratio);
        (is_violated ? violated : held).emplace(check.guideline, check.ratio);
    }
}

std::optional<ChosenProblem> Refinement::next(double left_s) const {
    // An answer about an operation without an answer on a distribution comes before sharper answers
    // about others. Operations without any answer, such as rare forms, take turns with the gaps.
    if (auto choice = for_unanswered(Unanswered::here, left_s)) return choice;
    if (chosen_problems_ % 2 == 0) {
        if (auto choice = for_unanswered(Unanswered::anywhere, left_s)) return choice;
    }
    if (auto choice = in_best_gap(left_s)) return choice;
    if (auto choice = for_unanswered(Unanswered::anywhere, left_s)) return choice;
    return for_left_out(left_s);
}

/// Returns the affordable problem in the gap between sizes that is worth most for its time; nullopt
/// if none is affordable.
std::optional<ChosenProblem> Refinement::in_best_gap(double left_s) const {
    std::vector<std::pair<const std::string*, Gap>> gaps;  // with the distribution
    for (const auto& [distribution, sizes] : measured_) {
        for (Gap gap : gaps_of(sizes)) {
            const double check_s = seconds_per_check(distribution, gap.at);
            gap.worth /= std::sqrt(std::max(negligible_check_s, check_s));
            gaps.emplace_back(&distribution, gap);
        }
    }
    std::ranges::stable_sort(gaps, std::ranges::greater{},
                             [](const auto& each) { return each.second.worth; });
    for (const auto& [distribution, gap] : gaps) {
        ChosenProblem choice{{place_of(*distribution), gap.at, gap.above},
                             guidelines_in(gap, measured_.at(*distribution))};
        if (is_affordable(choice, left_s)) return choice;
    }
    return std::nullopt;
}

std::optional<ChosenProblem> Refinement::for_unanswered(Unanswered which, double left_s) const {
    for (const auto& [distribution, sizes] : measured_) {
        auto choice = for_unanswered(distribution, sizes, which);
        if (choice && make_affordable(*choice, left_s)) return choice;
    }
    return std::nullopt;
}

std::optional<ChosenProblem> Refinement::for_left_out(double left_s) const {
    for (const auto& [distribution, sizes] : measured_) {
        for (const auto& [size, behind] : sizes_with_room(sizes)) {
            std::set<std::size_t> guidelines;
            for (const auto& [name, operation] : size->operations) {
                std::size_t chosen = 0;
                for (const auto& [predicted_s, guideline] : operation.left_out) {
                    if (chosen == strongest_of_operation) break;
                    if (behind.begun.contains(guideline) || behind.had_turn.contains(guideline))
                        continue;
                    guidelines.insert(guideline);
                    ++chosen;
                }
            }
            ChosenProblem choice = problem_beside(distribution, sizes, behind.next, guidelines);
            if (make_affordable(choice, left_s)) return choice;
        }
    }
    return std::nullopt;
}

ChosenProblem Refinement::problem_beside(const std::string& distribution, const Sizes& sizes,
                                         Count next,
                                         const std::set<std::size_t>& guidelines) const {
    const auto above = sizes.upper_bound(next);
    return {{place_of(distribution), next, above == sizes.end() ? 0 : above->first},
            {guidelines.begin(), guidelines.end()}};
}

bool Refinement::make_affordable(ChosenProblem& choice, double left_s) const {
    while (choice.guidelines.size() > 1 && !is_affordable(choice, left_s))
        choice.guidelines.pop_back();
    return is_affordable(choice, left_s);
}

std::optional<ChosenProblem> Refinement::for_unanswered(const std::string& distribution,
                                                        const Sizes& sizes,
                                                        Unanswered which) const {
    const std::set<std::string> tried = tried_operations(sizes);
    for (const auto& [size, behind] : sizes_with_room(sizes)) {
        std::set<std::size_t> guidelines;
        for (const auto& [name, operation] : size->operations) {
            if (operation.without_time.empty() || tried.contains(name)) continue;
            std::set<std::size_t> open;
            std::ranges::set_difference(operation.without_time, behind.had_turn,
                                        std::inserter(open, open.end()));
            Ratios ratios = largest_ratios(name, open);
            if (ratios.empty() != (which == Unanswered::anywhere)) continue;
            for (const std::size_t each : open) ratios.try_emplace(each, 0.0);
            add_strongest(ratios, guidelines);
        }
        if (guidelines.empty()) continue;
        return problem_beside(distribution, sizes, behind.next, guidelines);
    }
    return std::nullopt;
}

Refinement::Ratios Refinement::largest_ratios(const std::string& operation,
                                              const std::set<std::size_t>& guidelines) const {
    Ratios largest;
    for (const auto& [distribution, sizes] : measured_) {
        for (const auto& [block_size, size] : sizes) {
            const auto found = size.operations.find(operation);
            if (found == size.operations.end() || !found->second.answers) continue;
            for (const Ratios* ratios :
                 {&found->second.answers->violated, &found->second.answers->held}) {
                for (const auto& [guideline, ratio] : *ratios)
                    if (guidelines.contains(guideline))
                        largest[guideline] = std::max(largest[guideline], ratio);
            }
        }
    }
    return largest;
}

std::vector<std::size_t> Refinement::strongest_near(const std::string& distribution,
                                                    Count block_size, std::size_t most) const {
    const auto found = measured_.find(distribution);
    if (found == measured_.end()) return {};
    std::map<std::string, std::pair<double, const Answers*>> nearest;  // with its octaves away
    for (const auto& [size, at] : found->second) {
        const double octaves =
            std::abs(std::log2(static_cast<double>(size) / static_cast<double>(block_size)));
        for (const auto& [name, operation] : at.operations) {
            if (!operation.answers) continue;
            const auto [known, is_first] = nearest.try_emplace(name, octaves, &*operation.answers);
            if (!is_first && octaves < known->second.first)
                known->second = {octaves, &*operation.answers};
        }
    }
    std::set<std::size_t> guidelines;
    for (const auto& [name, each] : nearest) {
        const Answers& answers = *each.second;
        add_strongest(answers.violated, guidelines, most);
        if (most > 1 || answers.violated.empty()) add_strongest(answers.held, guidelines, most);
    }
    return {guidelines.begin(), guidelines.end()};
}

double Refinement::expected_s(const ChosenProblem& choice) const {
    return fixed_s + time_of_few_checks * static_cast<double>(choice.guidelines.size()) *
                         seconds_per_check(distributions_[choice.place.distribution],
                                           choice.place.block_size);
}

bool Refinement::is_affordable(const ChosenProblem& choice, double left_s) const {
    const int checks = chosen_checks_ + static_cast<int>(choice.guidelines.size());
    return !choice.guidelines.empty() && checks <= most_checks_ &&
           expected_s(choice) < share_of_rest * left_s;
}

double Refinement::seconds_per_check(const std::string& distribution, Count block_size) const {
    const double own_s = seconds_of_check(measured_.at(distribution), block_size);
    if (own_s > 0.0) return own_s;
    double longest_s = 0.0;
    for (const auto& [other, sizes] : measured_)
        longest_s = std::max(longest_s, seconds_of_check(sizes, block_size));
    return longest_s;
}

std::size_t Refinement::place_of(const std::string& distribution) const {
    return static_cast<std::size_t>(std::ranges::find(distributions_, distribution) -
                                    distributions_.begin());
}

}  // namespace mpiaudit
