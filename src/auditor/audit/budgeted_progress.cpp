// SPDX-License-Identifier: BSD-3-Clause
#include "audit/budgeted_progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "simulation/simulation.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns relative cost estimates of the remaining problems, in no unit; 0 for all others.
std::vector<double> works_of(const Plan& plan, const std::vector<char>& left) {
    std::vector<double> works;
    std::size_t most = 1;
    for (const ProblemOutline& problem : plan.problems)
        most = std::max(most, problem.contestants.size());
    for (const ProblemOutline& problem : plan.problems) {
        const Count bytes = problem.padded_total * static_cast<Count>(problem.element_bytes);
        if (!left[works.size()]) {
            works.push_back(0.0);
            continue;
        }
        const double work =
            platform().work_of_problem + platform().work_of_byte * static_cast<double>(bytes);
        works.push_back(work * static_cast<double>(problem.contestants.size()) /
                        static_cast<double>(most));
    }
    return works;
}

/// Returns the share of the budget for planned problems. The rest is for chosen problems.
double share_of_planned(const Plan& plan) {
    return plan.may_be_chosen > 0 ? 0.6 : 1.0;
}

/// Returns the seconds that each problem of an application may save; nothing in other audits.
std::vector<double> weights(const Plan& plan) {
    std::vector<double> weights;
    for (const ProblemOutline& each : plan.problems) {
        if (each.worth_s) weights.push_back(*each.worth_s);
    }
    return weights;
}

}  // namespace

BudgetedProgress::BudgetedProgress(const Plan& plan, const std::vector<char>& left, double budget_s,
                                   bool moves)
    : progress{works_of(plan, left), moves, budget_s},
      budget{works_of(plan, left), share_of_planned(plan) * budget_s, weights(plan),
             plan.may_be_chosen > 0} {
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (!left[i]) progress.end(i, 0.0);
    }
}

std::string in_words(const ProblemOutline& planned) {
    constexpr std::size_t most_names = 3;
    std::vector<std::string> operations;
    for (const PlannedCheck& check : planned.checks) {
        const Path& left = planned.contestants[check.left].path;
        std::string name(left.steps.front().arrow->name);
        if (!is_among(operations, name)) operations.push_back(std::move(name));
    }
    if (planned.checks.empty())
        for (const Contestant& each : planned.contestants) operations.push_back(each.name);
    const std::string names = operations.size() > most_names
                                  ? fmt::format("{} operations", operations.size())
                                  : fmt::format("{}", fmt::join(operations, ", "));
    return planned.id + ": " + names;
}

}  // namespace mpiaudit
