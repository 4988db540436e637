// SPDX-License-Identifier: BSD-3-Clause
#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ranges>
#include <set>

#include "judge/statistics.h"
#include "report/findings.h"
#include "report/overview_rows.h"

namespace mpiaudit {
double gated_ratio(const Report& report, const JudgedCheck& check) {
    if (check.lacks_evidence || find_problem(report, check.problem) == nullptr)
        return factor(check);
    return pair_of(report, check).factor.value_or(factor(check));
}

GateOutcome outcome_of_gate(const Report& report, const GateOptions& options) {
    GateOutcome outcome;
    const FailureCondition& condition = *options.fail_on;
    Baseline baseline;
    if (!options.baseline.empty()) {
        const NativeTimes own = native_times(report);
        baseline = read_baseline(options.baseline);
        outcome.beside_baseline = before_after(baseline.times, own);
        if (outcome.beside_baseline->common == 0 && !own.empty())
            throw UsageError(
                "--baseline: {} has measured no operation of the library on a problem of this "
                "audit: only the same distribution, sizes and ranks can be compared",
                options.baseline);
    }
    for (WrongForm& each : wrong_forms(report)) {
        const bool is_excused = baseline.wrong_forms.contains(each.form);
        (is_excused ? outcome.excused_wrong : outcome.wrong).push_back(std::move(each));
    }
    // Operations that became slower fail a baseline alone, whether or not they violate a guideline.
    if (!condition.is_wanted) {
        outcome.has_failed = outcome.beside_baseline && outcome.beside_baseline->has_slower();
        return outcome;
    }
    for (const JudgedCheck& check : report.checks) {
        if (!check.is_violation()) continue;
        if (outcome.beside_baseline && !outcome.beside_baseline->is_slower(check.left.way()))
            outcome.excused.push_back(&check);
        else if (check.left.way().makes_communicator() && !condition.has_communicators)
            outcome.communicators.push_back(&check);
        else if (condition.fails(gated_ratio(report, check)))
            outcome.failing.push_back(&check);
        else
            outcome.tolerated.push_back(&check);
    }
    outcome.has_failed = !outcome.failing.empty();
    return outcome;
}

namespace {

// Natural logarithms: times of two launches of one library differ by up to this; a pace
// beyond most_of_a_pace is no property of the machine.
const double least_logarithm = std::log(least_change), most_of_a_pace = std::log(2.0);
constexpr std::size_t fewest_problems = 4, fewest_for_pace = 5;
constexpr double share_that_agrees = 0.8;

/// Returns MPI_Gather for MPI_Gather(m) and MPI_Gather(m) #2; an empty text for other ways.
std::string operation_of(const Way& way) {
    const bool is_function =
        way.is_one_call() && way.only()->is_of_mpi() && way.only()->has_no_brackets();
    return is_function ? way.only()->function() : "";
}

/// Returns log(after / before) of each common problem, by operation.
std::map<std::string, std::vector<double>> ratios_of(const NativeTimes& before,
                                                     const NativeTimes& after) {
    std::map<std::string, std::vector<double>> ratios;
    for (const auto& [problem, times] : after) {
        const auto same = before.find(problem);
        if (same == before.end()) continue;
        for (const auto& [operation, time_s] : times)
            if (const auto old = same->second.find(operation); old != same->second.end())
                ratios[operation].push_back(std::log(time_s / old->second));
    }
    return ratios;
}

std::set<std::string> operations_in(const NativeTimes& times) {
    std::set<std::string> names;
    for (const auto& [problem, each] : times)
        for (const auto& [operation, time_s] : each) names.insert(operation);
    return names;
}

double pace_of(const std::map<std::string, std::vector<double>>& ratios) {
    if (ratios.size() < fewest_for_pace) return 0.0;
    std::vector<double> medians;
    for (const auto& [operation, each] : ratios) medians.push_back(judge::median(each));
    return judge::median(medians);
}

/// Returns the ratio of an operation if the operation changed clearly, and on most of its problems
/// alike; else nullopt.
std::optional<double> change_in(std::vector<double> ratios, double pace) {
    for (double& each : ratios) each -= pace;
    const double middle = judge::median(ratios);
    const auto agreeing = std::ranges::count_if(ratios, [middle](double each) {
        return each * middle > 0 && std::abs(each) > std::abs(middle) / 2;
    });
    if (std::abs(middle) <= least_logarithm || ratios.size() < fewest_problems ||
        static_cast<double>(agreeing) < share_that_agrees * static_cast<double>(ratios.size()))
        return std::nullopt;
    return std::exp(middle);
}

}  // namespace

ProblemIdentity identity_of(const record::ProblemDescription& problem) {
    ProblemIdentity identity = {problem.distribution, problem.element, problem.op};
    for (const std::int64_t number :
         {problem.block_size, std::int64_t{problem.ranks}, std::int64_t{problem.root},
          problem.total, problem.padded_total, problem.smallest, problem.largest})
        identity.push_back(std::to_string(number));
    return identity;
}

void add_time(OperationTimes& times, const Way& way, double median_s) {
    const std::string operation = operation_of(way);
    if (operation.empty() || median_s <= 0) return;
    const auto [at, is_new] = times.emplace(operation, median_s);
    if (!is_new) at->second = std::sqrt(at->second * median_s);
}

OperationTimes operation_times(const ReportedProblem& problem) {
    OperationTimes times;
    for (const ReportedContestant& each : problem.contestants)
        if (each.statistics) add_time(times, each.name.way(), each.statistics->median);
    return times;
}

NativeTimes native_times(const Report& report) {
    NativeTimes times;
    for (const ReportedProblem& problem : report.problems)
        if (OperationTimes found = operation_times(problem); !found.empty())
            times[identity_of(problem.problem)].merge(found);
    return times;
}

bool BeforeAfter::is_slower(const Way& way) const {
    const std::string operation = operation_of(way);
    return std::ranges::any_of(
        changes, [&](const Change& each) { return each.ratio > 1 && each.operation == operation; });
}

bool BeforeAfter::has_slower() const {
    return std::ranges::any_of(changes, [](const Change& each) { return each.ratio > 1; });
}

/// If all operations changed alike, moderately, this common pace is taken out of each change.
BeforeAfter before_after(const NativeTimes& before, const NativeTimes& after) {
    const auto ratios = ratios_of(before, after);
    const double pace = pace_of(ratios);
    BeforeAfter found{.changes = {}, .pace = pace, .missing = {}, .common = ratios.size()};
    for (const auto& [operation, each] : ratios)
        if (const auto ratio = change_in(each, std::abs(pace) < most_of_a_pace ? pace : 0.0))
            found.changes.push_back({operation, *ratio});
    std::ranges::stable_sort(found.changes, std::ranges::greater{},
                             [](const auto& each) { return std::abs(std::log(each.ratio)); });
    std::ranges::set_difference(operations_in(before), operations_in(after),
                                std::back_inserter(found.missing));
    return found;
}

}  // namespace mpiaudit
