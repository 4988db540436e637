// SPDX-License-Identifier: BSD-3-Clause
#include "audit/refinement.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "measure/protocol.h"
#include "random/random_bits.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

/// What takes long has to tell more; below this it does not matter.
constexpr double short_s = 0.05;
/// Of what is left: who knows how long it takes.
constexpr double share_of_rest = 0.5;
/// Verification and warm-up of a few contestants.
constexpr double least_s = 0.1, generosity = 3.0;

/// Problems beside a size, for what had no time there.
constexpr Count most_beside = 4;

/// Two sizes that differ by less than this factor tell the same.
constexpr double neighbour = 1.05;

void add_strongest(const std::map<std::size_t, double>& ratios, std::set<std::size_t>& chosen,
                   std::size_t most = strongest) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [guideline, ratio] : ratios) order.emplace_back(-ratio, guideline);
    std::ranges::sort(order);
    order.resize(std::min(order.size(), most));
    for (const auto& [ratio, guideline] : order) chosen.insert(guideline);
}

}  // namespace

Refinement::Refinement(const Plan& plan, const record::Header& header, const judge::Rule& rule)
    : plan_{plan},
      rule_{rule},
      order_seed_{header.order_seed()},
      references_{reference_names(header.implementations)} {
    for (const Guideline& each : plan.inputs->guidelines)
        guidelines_.emplace(each.id, guidelines_.size());
    for (const Distribution& each : plan.inputs->distributions)
        distributions_.emplace(each.name, distributions_.size());
}

void Refinement::add(const record::ProblemRecord& measured) {
    const record::ProblemDescription& problem = measured.problem;
    Size& size = measured_[problem.distribution][problem.block_size];
    size.is_chosen = problem.chosen;
    chosen_problems_ += problem.chosen;
    int checks = 0;
    for (const record::Check& check : measured.checks) {
        const record::Contestant &left = measured.contestants[check.left],
                                 &right = measured.contestants[check.right];
        if (problem.chosen && !left.skipped && !right.skipped) ++chosen_checks_;
        const std::string operation = left.name.way().operations();
        const std::size_t samples = std::min(left.samples_s.size(), right.samples_s.size());
        const bool is_verdict = kind_of(left, references_) == CheckKind::verdict;
        const bool is_decided = samples > 0 && is_verdict && add(measured, check, size);
        checks += samples > 0;
        if (is_decided || samples >= rounds_of_the_clear) {
            size.tried.insert(operation);
            continue;
        }
        const auto is_late = [](const record::Contestant& each) {
            return !each.samples_s.empty() || each.skipped == record::no_time_left;
        };
        if (is_late(left) && is_late(right))
            size.late[operation].insert(guidelines_.at(check.guideline));
    }
    if (checks > 0) size.seconds_of_check = measured.elapsed_s / checks;
}

bool Refinement::add(const record::ProblemRecord& problem, const record::Check& check,
                     Size& size) const {
    const record::Contestant& left = problem.contestants[check.left];
    const auto judgement =
        judge::judge(left.samples_s, problem.contestants[check.right].samples_s, rule_,
                     coin_seed(order_seed_, problem.problem.id, check.guideline));
    const bool is_violated = judgement.verdict == judge::Verdict::violated;
    if (!is_violated && judgement.verdict != judge::Verdict::holds) return false;
    const std::size_t guideline = guidelines_.at(check.guideline);
    // No other size would tell more.
    if (is_without_data(plan_.inputs->guidelines[guideline].inequality)) return true;
    Operation& operation = size.operations[left.name.way().operations()];
    judge::AtSize& at = operation.at;
    at.size = static_cast<double>(problem.problem.block_size);
    at.is_violated = at.is_violated || is_violated;
    at.time_s = judgement.left.median;
    if (is_violated) at.ratio = std::max(at.ratio, judgement.factor);
    (is_violated ? operation.violated : operation.held).emplace(guideline, judgement.factor);
    return true;
}

std::vector<Refinement::Gap> Refinement::gaps_of(const std::string& distribution,
                                                 const Sizes& sizes) const {
    std::vector<Gap> gaps;
    const auto add = [&](Gap gap, const std::string& operation) {
        gap.at = untried(sizes, gap.at, operation);
        if (gap.worth > 0.0 && gap.at != 0) gaps.push_back(gap);
    };
    std::map<std::string, std::pair<Count, const judge::AtSize*>> below;  // by operation
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations) {
            auto& [last, at] = below[name];
            if (at != nullptr) {
                const double middle =
                    std::sqrt(static_cast<double>(last) * static_cast<double>(block_size));
                add({distribution, last, block_size, std::llround(middle),
                     judge::worth_between(*at, operation.at), judge::is_edge(*at, operation.at)},
                    name);
            }
            last = block_size;
            at = &operation.at;
        }
    }
    // Of those that were planned: what is chosen beside it would be behind the last one again.
    const auto planned = std::ranges::find_if(
        sizes.rbegin(), sizes.rend(), [](const auto& each) { return !each.second.is_chosen; });
    const Count largest = planned == sizes.rend() ? 0 : planned->first;
    for (const auto& [name, last] : below) {
        const double octaves = std::log2(static_cast<double>(std::max(largest, last.first)) /
                                         static_cast<double>(last.first));
        add({distribution, last.first, 0, largest, octaves}, name);
    }
    return gaps;
}

Count Refinement::untried(const Sizes& sizes, Count size, const std::string& operation) {
    const auto found = sizes.find(size);
    if (found == sizes.end()) return size;
    // What was tried and gave no answer stays without one; what had no time has a neighbour.
    return found->second.tried.contains(operation) || sizes.contains(size + 1) ? 0 : size + 1;
}

/// The operations that have a gap around the size of this one, about an edge those that have one
/// there, too; of each what it was slowest beside at both ends, where it was violated if it was.
ChosenSizes Refinement::choice_in(const Gap& gap) const {
    std::set<std::size_t> guidelines;
    const Sizes& sizes = measured_.at(gap.distribution);
    std::map<std::string, std::pair<const Operation*, const Operation*>> around;
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations) {
            if (block_size < gap.at) around[name].first = &operation;
            if (block_size > gap.at && around[name].second == nullptr)
                around[name].second = &operation;
        }
    }
    for (const auto& [name, two] : around) {
        if (two.first == nullptr || (two.second == nullptr) != (gap.above == 0)) continue;
        if (two.first->at.size * neighbour > static_cast<double>(gap.at)) continue;
        const bool is_edge = gap.above != 0 && judge::is_edge(two.first->at, two.second->at);
        if (gap.above != 0 && judge::worth_between(two.first->at, two.second->at) == 0.0) continue;
        if (gap.is_edge && !is_edge) continue;
        for (const Operation* each : {two.first, two.second}) {
            if (each == nullptr) continue;
            add_strongest(each->violated, guidelines);
            if (!is_edge && each->violated.empty()) add_strongest(each->held, guidelines);
        }
    }
    return {{distributions_.at(gap.distribution), gap.at, gap.above},
            {guidelines.begin(), guidelines.end()}};
}

std::vector<std::size_t> Refinement::strongest_near(const std::string& distribution,
                                                    Count block_size, std::size_t most) const {
    const auto found = measured_.find(distribution);
    if (found == measured_.end()) return {};
    std::map<std::string, std::pair<double, const Operation*>> nearest;  // with its distance
    for (const auto& [size, at] : found->second) {
        const double distance =
            std::abs(std::log2(static_cast<double>(size) / static_cast<double>(block_size)));
        for (const auto& [name, operation] : at.operations) {
            const auto [known, is_first] = nearest.try_emplace(name, distance, &operation);
            if (!is_first && distance < known->second.first) known->second = {distance, &operation};
        }
    }
    std::set<std::size_t> guidelines;
    for (const auto& [name, each] : nearest) {
        add_strongest(each.second->violated, guidelines, most);
        if (most > 1 || each.second->violated.empty())
            add_strongest(each.second->held, guidelines, most);
    }
    return {guidelines.begin(), guidelines.end()};
}

double Refinement::seconds_of_check(const Sizes& sizes, Count block_size) {
    double seconds = 0.0;
    for (const auto& [size, each] : sizes) {
        if (each.seconds_of_check <= 0.0) continue;
        seconds = each.seconds_of_check;
        if (size >= block_size) break;
    }
    return seconds;
}

double Refinement::seconds_of_check(const std::string& distribution, Count block_size) const {
    const double own_s = seconds_of_check(measured_.at(distribution), block_size);
    if (own_s > 0.0) return own_s;
    double longest_s = 0.0;
    for (const auto& [other, sizes] : measured_)
        longest_s = std::max(longest_s, seconds_of_check(sizes, block_size));
    return longest_s;
}

double Refinement::expected_s(const ChosenSizes& choice) const {
    const std::string& name = plan_.inputs->distributions[choice.place.distribution].name;
    return least_s + generosity * static_cast<double>(choice.guidelines.size()) *
                         seconds_of_check(name, choice.place.block_size);
}

std::map<std::size_t, double> Refinement::slowest_anywhere(
    const std::string& operation, const std::set<std::size_t>& guidelines) const {
    std::map<std::size_t, double> ratios;
    for (const auto& [distribution, sizes] : measured_) {
        for (const auto& [block_size, size] : sizes) {
            const auto found = size.operations.find(operation);
            if (found == size.operations.end()) continue;
            for (const auto* answers : {&found->second.violated, &found->second.held}) {
                for (const auto& [guideline, ratio] : *answers)
                    if (guidelines.contains(guideline))
                        ratios[guideline] = std::max(ratios[guideline], ratio);
            }
        }
    }
    return ratios;
}

std::optional<ChosenSizes> Refinement::without_answer(const std::string& distribution,
                                                      const Sizes& sizes, Without without) const {
    std::set<std::string> tried;
    for (const auto& [block_size, size] : sizes) tried.insert(size.tried.begin(), size.tried.end());
    for (const auto& [block_size, size] : sizes) {
        if (size.is_chosen) continue;
        std::set<std::size_t> had_their_turn;
        Count beside = block_size + 1;
        for (auto each = sizes.find(beside); each != sizes.end(); each = sizes.find(++beside)) {
            for (const auto& [operation, late] : each->second.late)
                had_their_turn.insert(late.begin(), late.end());
        }
        if (beside > block_size + most_beside) continue;
        std::set<std::size_t> guidelines;
        for (const auto& [operation, late] : size.late) {
            if (tried.contains(operation)) continue;
            std::set<std::size_t> open;
            std::ranges::set_difference(late, had_their_turn, std::inserter(open, open.end()));
            std::map<std::size_t, double> ratios = slowest_anywhere(operation, open);
            if (ratios.empty() != (without == Without::anywhere)) continue;
            for (const std::size_t each : open) ratios.try_emplace(each, 0.0);
            add_strongest(ratios, guidelines);
        }
        if (guidelines.empty()) continue;
        const auto next = sizes.upper_bound(beside);
        return ChosenSizes{
            {distributions_.at(distribution), beside, next == sizes.end() ? 0 : next->first},
            {guidelines.begin(), guidelines.end()}};
    }
    return std::nullopt;
}

std::optional<ChosenSizes> Refinement::without_answer(Without without, double left_s) const {
    for (const auto& [distribution, sizes] : measured_) {
        auto choice = without_answer(distribution, sizes, without);
        if (!choice) continue;
        // The others have their turn beside it.
        while (choice->guidelines.size() > 1 && !has_room_for(*choice, left_s))
            choice->guidelines.pop_back();
        if (has_room_for(*choice, left_s)) return choice;
    }
    return std::nullopt;
}

bool Refinement::has_room_for(const ChosenSizes& choice, double left_s) const {
    const int checks = chosen_checks_ + static_cast<int>(choice.guidelines.size());
    return !choice.guidelines.empty() && checks <= plan_.may_be_chosen &&
           expected_s(choice) < share_of_rest * left_s;
}

std::optional<ChosenSizes> Refinement::next(double left_s) const {
    // An operation without any answer comes before sharper answers about others; one that has been
    // measured nowhere yet, as many rare forms, takes turns with them.
    if (auto choice = without_answer(Without::here, left_s)) return choice;
    const bool is_their_turn = chosen_problems_ % 2 == 0;
    if (auto choice = is_their_turn ? without_answer(Without::anywhere, left_s) : std::nullopt)
        return choice;
    std::vector<Gap> gaps;
    for (const auto& [distribution, sizes] : measured_) {
        for (Gap& gap : gaps_of(distribution, sizes)) {
            const double expected_s = seconds_of_check(distribution, gap.at);
            gap.worth /= std::sqrt(std::max(short_s, expected_s));
            gaps.push_back(std::move(gap));
        }
    }
    std::ranges::stable_sort(gaps, std::ranges::greater{}, &Gap::worth);
    for (const Gap& gap : gaps) {
        ChosenSizes choice = choice_in(gap);
        if (has_room_for(choice, left_s)) return choice;
    }
    return without_answer(Without::anywhere, left_s);
}

}  // namespace mpiaudit
