// SPDX-License-Identifier: BSD-3-Clause
#include "measure/affordable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cost/prediction.h"
#include "measure/protocol.h"
#include "messages/agreement.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

/// A right side that takes so many times as long in the first round will hardly turn out faster,
/// and a left side that takes so many times as long is hardly as fast.
constexpr double hopeless = 1.5, clear = 3.0;

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

void leave_slower_references(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                             int references) {
    std::map<std::size_t, int> taken;  // by the left side
    for (const std::size_t i : in_turns(planned)) {
        const PlannedCheck& check = planned.checks[i];
        if (!planned.is_checkable(check) || !guidelines[check.guideline].is_one_of_many()) continue;
        if (++taken[check.left] > references)
            planned.contestants[check.right].skipped = record::slower_reference;
    }
}

void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model) {
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        record::Contestant& measured = record.contestants[i];
        if (measured.samples_s.empty()) continue;
        const Contestant& contestant = planned.contestants[i];
        const Problem& problem = planned.variants[contestant.variant];
        if (planned.predicted_s[i] >= 0) measured.predicted_s = planned.predicted_s[i];
        measured.lower_bound_s =
            lower_bound(contestant.path.from(), contestant.path.to(), problem, model);
    }
}

}  // namespace mpiaudit
