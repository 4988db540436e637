// SPDX-License-Identifier: BSD-3-Clause
#include "measure/open_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "cost/prediction.h"
#include "measure/measurement.h"
#include "measure/protocol.h"
#include "messages/agreement.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"

namespace mpiaudit {

bool OpenChecks::is_open(const Check& check) const {
    // All checks take part in all rounds if there is no stopping rule.
    if (!stops_early_) return !check.is_rival;
    if (check.is_given_up) return false;
    return check.process.verdict() == judge::Verdict::undecided || awaits_repeats(check);
}

bool OpenChecks::awaits_repeats(const Check& check) const {
    return has_order_ && !check.is_given_up &&
           check.process.verdict() == judge::Verdict::violated && !check.is_order_clear;
}

Repeats OpenChecks::repeats() const {
    if (!has_order_) return Repeats::none;
    const bool are_awaited =
        std::ranges::any_of(checks_, [this](const Check& each) { return awaits_repeats(each); });
    return are_awaited ? Repeats::all : Repeats::by_chance;
}

bool OpenChecks::has_prospects(const Check& check, int last) const {
    if (check.process.verdict() == judge::Verdict::undecided)
        return check.process.has_prospects(last);
    return check.order.has_prospects(last - check.process.rounds());
}

bool OpenChecks::is_right(std::size_t left) const {
    return std::ranges::none_of(checks_, [&](const Check& check) {
        return check.left == left && !check.is_rival &&
               (check.process.verdict() == judge::Verdict::violated || is_open(check));
    });
}

void OpenChecks::give_up_hopeless(int last) {
    if (!stops_early_) return;
    // A contestant that has left does not return: two contestants are compared in the rounds of
    // both.
    for (Check& check : checks_) {
        if (is_open(check))
            check.is_given_up =
                (check.is_rival && is_right(check.left)) || !has_prospects(check, last);
    }
}

void OpenChecks::withdraw(std::size_t contestant) {
    std::erase_if(checks_, [&](const Check& check) {
        return check.left == contestant || check.right == contestant;
    });
    std::erase(unchecked_, static_cast<int>(contestant));
}

void OpenChecks::add_round(std::span<const double> samples_s, bool is_repeat) {
    for (Check& check : checks_) {
        if (!is_open(check)) continue;
        check.process.add(samples_s[check.left], samples_s[check.right]);
        if (has_order_) check.order.add(samples_s[check.left], samples_s[check.right], is_repeat);
    }
}

void OpenChecks::end_batch() {
    for (Check& check : checks_) {
        if (awaits_repeats(check)) check.is_order_clear = check.order.is_clear();
    }
}

bool OpenChecks::is_decided() const {
    return std::ranges::none_of(
        checks_, [this](const Check& check) { return !check.is_rival && is_open(check); });
}

std::optional<int> OpenChecks::earliest_decision() const {
    std::optional<int> earliest;
    if (!stops_early_) return earliest;
    for (const Check& check : checks_) {
        if (!is_open(check)) continue;
        const int own = awaits_repeats(check)
                            ? check.process.rounds() + check.order.repeats_until_clear()
                            : check.process.earliest_decision();
        earliest = std::min(earliest.value_or(own), own);
    }
    return earliest;
}

std::vector<int> OpenChecks::needed() const {
    std::set<int> contestants(unchecked_.begin(), unchecked_.end());
    for (const Check& check : checks_) {
        if (is_open(check))
            contestants.insert({static_cast<int>(check.left), static_cast<int>(check.right)});
    }
    return {contestants.begin(), contestants.end()};
}

std::optional<int> Reverification::draw(std::span<const int> active, double elapsed_s) {
    if (active.empty() || spent_s_ + expected_s_ > share_of_time * elapsed_s) return std::nullopt;
    const std::uint64_t bits = mix_bits(seed_, draws_++);
    if (bits % 2 == 0) return std::nullopt;
    return active[(bits / 2) % active.size()];
}

void Reverification::add(double seconds) {
    spent_s_ += seconds;
    expected_s_ = seconds;
}

namespace {

/// Ratios of the two sides in the first round beyond which few rounds decide a check: right to left
/// (the left side is faster), and left to right (the left side is slower).
constexpr double hopeless = 1.5, clear = 3.0;

/// Returns the number of rounds that a check will probably need.
double expected_rounds(double left_s, double right_s) {
    const std::size_t rounds = right_s > hopeless * left_s ? rounds_of_the_hopeless
                               : left_s > clear * right_s  ? rounds_of_the_clear
                                                           : good_rounds;
    return static_cast<double>(rounds);
}

constexpr double unknown = -1.0;

}  // namespace

std::vector<double> costs_in_turns(const PlannedProblem& planned, const Prepared& prepared,
                                   const std::vector<char>& is_wanted,
                                   const std::function<double(std::size_t)>& run,
                                   const std::function<bool()>& is_over) {
    std::vector<double> costs_s(planned.contestants.size(),
                                std::numeric_limits<double>::infinity());
    for (const std::size_t i : in_turns(planned)) {
        const auto [guideline, left, right] = planned.checks[i];
        if (!prepared.can_run(left) || !prepared.can_run(right)) continue;
        if (!is_wanted.empty() && !is_wanted[i]) continue;
        for (const std::size_t side : {left, right}) {
            if (std::isfinite(costs_s[side])) continue;
            if (is_over()) return costs_s;
            costs_s[side] = run(side);
        }
    }
    return costs_s;
}

std::vector<char> affordable_checks(const PlannedProblem& planned, const Prepared& prepared,
                                    const std::vector<double>& costs_s, double limit_s) {
    std::vector<char> is_affordable(planned.checks.size());
    std::vector<double> rounds(planned.contestants.size());  // that each contestant takes part in
    double left_s = limit_s;
    for (const std::size_t i : in_turns(planned)) {
        const auto [guideline, left, right] = planned.checks[i];
        if (!prepared.can_run(left) || !prepared.can_run(right)) continue;
        const double needed = expected_rounds(costs_s[left], costs_s[right]);
        const double more_s = std::max(0.0, needed - rounds[left]) * costs_s[left] +
                              std::max(0.0, needed - rounds[right]) * costs_s[right];
        if (more_s > left_s) continue;
        left_s -= more_s;
        for (const std::size_t side : {left, right}) rounds[side] = std::max(rounds[side], needed);
        is_affordable[i] = 1;
    }
    return is_affordable;
}

void predict_contestants(PlannedProblem& planned, const LinearModel& model, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    if (!platform().ranks_share_memory) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
    }
    planned.predicted_s.assign(planned.contestants.size(), unknown);
    for (auto i = static_cast<std::size_t>(rank); i < planned.contestants.size();
         i += static_cast<std::size_t>(ranks)) {
        const Contestant& each = planned.contestants[i];
        if (!each.skipped)
            planned.predicted_s[i] =
                predict(each.path, planned.variants[each.variant], model).value_or(unknown);
    }
    if (!platform().ranks_share_memory) take_largest(planned.predicted_s, comm);
}

void keep_fastest_references(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                             const ReferencesInBudget& references, int most) {
    std::map<std::size_t, std::vector<std::size_t>>
        ways;  // right sides of each left side, the fastest first
    for (const std::size_t i : in_turns(planned)) {
        const PlannedCheck& check = planned.checks[i];
        if (planned.is_checkable(check) && guidelines[check.guideline].is_one_of_many())
            ways[check.left].push_back(check.right);
    }
    for (const auto& [left, of_left] : ways) {
        const auto all = static_cast<int>(of_left.size());
        planned.further_references += std::max(0, std::min(most, all) - references.most);
        for (int k = most; k < all; ++k)
            planned.contestants[of_left[static_cast<std::size_t>(k)]].skipped =
                Reason{ReasonKind::slower_reference,
                       "",
                       {most * 1.0, all * 1.0, all * references.seconds_of_one}};
    }
}

void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model) {
    for (std::size_t i = 0; i < planned.predicted_s.size(); ++i) {
        record::Contestant& measured = record.contestants[i];
        const bool is_left_out =
            record::is_skipped_by(ReasonKind::slower_reference, measured.skipped);
        if (measured.samples_s.empty() && !is_left_out) continue;
        const Contestant& contestant = planned.contestants[i];
        const Problem& problem = planned.variants[contestant.variant];
        if (planned.predicted_s[i] >= 0) measured.predicted_s = planned.predicted_s[i];
        if (is_left_out) continue;
        measured.lower_bound_s =
            lower_bound(contestant.path.from(), contestant.path.to(), problem, model);
    }
}

}  // namespace mpiaudit
