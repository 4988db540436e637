// SPDX-License-Identifier: BSD-3-Clause
#include "audit/refinement.h"

#include <algorithm>
#include <cmath>
#include <iterator>

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

}  // namespace

Count Refinement::Gap::middle() const {
    return std::llround(std::sqrt(static_cast<double>(below) * static_cast<double>(above)));
}

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
    const auto has_samples = [&](std::size_t contestant) {
        return !measured.contestants[contestant].samples_s.empty();
    };
    int checks = 0;
    for (const record::Check& check : measured.checks) {
        if (problem.chosen && !measured.contestants[check.left].skipped &&
            !measured.contestants[check.right].skipped)
            ++chosen_checks_;
        if (!has_samples(check.left) || !has_samples(check.right)) continue;
        ++checks;
        if (kind_of(measured.contestants[check.left], references_) == CheckKind::verdict)
            add(measured, check, size);
    }
    if (checks > 0) size.seconds_of_check = measured.elapsed_s / checks;
}

void Refinement::add(const record::ProblemRecord& problem, const record::Check& check,
                     Size& size) const {
    const record::Contestant& left = problem.contestants[check.left];
    const auto judgement =
        judge::judge(left.samples_s, problem.contestants[check.right].samples_s, rule_,
                     coin_seed(order_seed_, problem.problem.id, check.guideline));
    const bool is_violated = judgement.verdict == judge::Verdict::violated;
    if (!is_violated && judgement.verdict != judge::Verdict::holds) return;
    Operation& operation = size.operations[operation_on_left(left.name)];
    judge::AtSize& at = operation.at;
    at.size = static_cast<double>(problem.problem.block_size);
    at.is_violated = at.is_violated || is_violated;
    at.time_s = judgement.left.median;
    if (is_violated) at.ratio = std::max(at.ratio, judgement.factor);
    const std::size_t guideline = guidelines_.at(check.guideline);
    operation.measured.insert(guideline);
    if (is_violated) operation.violated.insert(guideline);
}

std::vector<Refinement::Gap> Refinement::gaps_of(const std::string& distribution,
                                                 const Sizes& sizes) const {
    std::vector<Gap> gaps;
    std::map<std::string, std::pair<Count, const judge::AtSize*>> below;  // by operation
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations) {
            auto& [last, at] = below[name];
            if (at != nullptr) {
                const Gap gap{distribution, last, block_size,
                              judge::worth_between(*at, operation.at),
                              judge::is_edge(*at, operation.at)};
                // What was tried and gave no answer stays without one.
                if (gap.worth > 0.0 && !sizes.contains(gap.middle())) gaps.push_back(gap);
            }
            last = block_size;
            at = &operation.at;
        }
    }
    return gaps;
}

/// The operations that have a gap around the middle of this one: about an edge those that have one
/// there, too, and of each what was violated; else all that they were compared with.
ChosenSizes Refinement::choice_in(const Gap& gap) const {
    const Count middle = gap.middle();
    std::set<std::size_t> guidelines;
    const Sizes& sizes = measured_.at(gap.distribution);
    std::map<std::string, std::pair<const Operation*, const Operation*>> around;
    for (const auto& [block_size, size] : sizes) {
        for (const auto& [name, operation] : size.operations) {
            if (block_size < middle) around[name].first = &operation;
            if (block_size > middle && around[name].second == nullptr)
                around[name].second = &operation;
        }
    }
    for (const auto& [name, two] : around) {
        if (two.first == nullptr || two.second == nullptr) continue;
        const bool is_edge = judge::is_edge(two.first->at, two.second->at);
        if (judge::worth_between(two.first->at, two.second->at) == 0.0) continue;
        if (gap.is_edge && !is_edge) continue;
        for (const Operation* each : {two.first, two.second}) {
            const auto& wanted = is_edge ? each->violated : each->measured;
            guidelines.insert(wanted.begin(), wanted.end());
        }
    }
    return {{distributions_.at(gap.distribution), middle, gap.above},
            {guidelines.begin(), guidelines.end()}};
}

double Refinement::seconds_of_check(const std::string& distribution, Count block_size) const {
    const Sizes& sizes = measured_.at(distribution);
    for (auto each = sizes.lower_bound(block_size); each != sizes.end(); ++each) {
        if (each->second.seconds_of_check > 0.0) return each->second.seconds_of_check;
    }
    return 0.0;
}

double Refinement::expected_s(const ChosenSizes& choice) const {
    const std::string& name = plan_.inputs->distributions[choice.place.distribution].name;
    return least_s + generosity * static_cast<double>(choice.guidelines.size()) *
                         seconds_of_check(name, choice.place.block_size);
}

std::optional<ChosenSizes> Refinement::next(double left_s) const {
    std::vector<Gap> gaps;
    for (const auto& [distribution, sizes] : measured_) {
        for (Gap& gap : gaps_of(distribution, sizes)) {
            const double expected_s = seconds_of_check(distribution, gap.middle());
            gap.worth /= std::sqrt(std::max(short_s, expected_s));
            gaps.push_back(std::move(gap));
        }
    }
    std::ranges::stable_sort(gaps, std::ranges::greater{}, &Gap::worth);
    for (const Gap& gap : gaps) {
        ChosenSizes choice = choice_in(gap);
        const int checks = chosen_checks_ + static_cast<int>(choice.guidelines.size());
        if (checks <= plan_.may_be_chosen && expected_s(choice) < share_of_rest * left_s)
            return choice;
    }
    return std::nullopt;
}

}  // namespace mpiaudit
