// SPDX-License-Identifier: BSD-3-Clause
// Sentences and names of the page beside the rows of the overview: declared in report/findings.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <ranges>
#include <set>

#include "answer/answer.h"
#include "operations/operations.h"
#include "report/findings.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

constexpr std::size_t few_examples = 3;

/// Returns true for a blocking operation of the library on the whole problem.
bool is_plain_operation(const ReportedContestant& contestant) {
    const Way& way = contestant.name.way();
    return way.is_plain() && way.copy == 1 && !way.terms.front().is_bare;
}

/// Returns how far the library's operations are above the lower bound of the cost model. A cause
/// that slows all ways alike violates no guideline, but shows here. Empty if no operation is above
/// the bound.
std::string distance_to_lower_bounds(const Report& report) {
    std::map<std::string, std::vector<double>> ratios;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (is_plain_operation(each) && each.statistics &&
                each.lower_bound_s.value_or(0.0) > 0.0)
                ratios[each.name.way().operations()].push_back(each.statistics->median /
                                                               *each.lower_bound_s);
        }
    }
    std::vector<std::pair<double, std::string>> all;
    for (auto& [operation, of_problems] : ratios) {
        std::ranges::sort(of_problems);
        all.emplace_back(of_problems[of_problems.size() / 2], operation);
    }
    std::ranges::sort(all, std::ranges::greater{});
    // If no operation is above the bound, a disturbance spoiled the fit of the model.
    if (all.empty() || all.front().first < 1.0) return "";
    std::vector<std::string> texts;
    for (const auto& [ratio, operation] : all | std::views::take(few_examples))
        texts.push_back(fmt::format("{} {} times", operation, ratio_text(ratio)));
    return fmt::format("Farthest above the cost model's lower bound: {}.", fmt::join(texts, ", "));
}

/// Returns a sentence about checks that are violated only in first calls or only in repeated calls;
/// empty if there are none.
std::string heaps_in_words(const Report& report) {
    std::size_t only_first = 0, only_repeated = 0;
    for (const JudgedCheck& check : report.checks) {
        if (!check.young_heap || check.kind != CheckKind::verdict) continue;
        const Verdict young = check.young_heap->judgement.verdict;
        only_first += check.verdict == Verdict::holds && young == Verdict::violated;
        only_repeated += check.verdict == Verdict::violated && young == Verdict::holds;
    }
    std::vector<std::string> parts;
    if (only_first > 0)
        parts.push_back(
            fmt::format("in first calls only (new memory): {}", counted(only_first, "check")));
    if (only_repeated > 0)
        parts.push_back(fmt::format("in repeated calls only: {}", counted(only_repeated, "check")));
    return parts.empty() ? "" : fmt::format("Slow {}.", fmt::join(parts, "; "));
}

/// Returns the largest ratio of a launch over the smallest, which may be 0 or infinite.
double spread_of_launches(const JudgedCheck* check) {
    const auto factor_of = [](const JudgedLaunch& each) { return each.samples.judgement.factor; };
    const auto [least, most] = std::ranges::minmax_element(check->launches, {}, factor_of);
    return factor_of(*most) == factor_of(*least) ? 1.0 : factor_of(*most) / factor_of(*least);
}

/// Returns a sentence about checks on which launches disagree, with the checks whose ratios differ
/// most as examples; empty if launches agree.
std::string disagreements_of_launches(const Report& report) {
    std::vector<const JudgedCheck*> all;
    for (const JudgedCheck& check : report.checks)
        if (check.launches_disagree) all.push_back(&check);
    if (all.empty()) return "";
    std::ranges::stable_sort(all, std::greater{}, spread_of_launches);
    std::vector<std::string> examples;
    for (const JudgedCheck* check : all | std::views::take(few_examples))
        examples.push_back(fmt::format("{} <= {} on {}: {}", check->left, check->right,
                                       check->problem, check->reason_in_words()));
    return fmt::format("Launches disagree on {}; the ratios differ most of: {}.",
                       counted(all.size(), "check"), fmt::join(examples, "; "));
}

/// Returns how many reference algorithms were measured beside the operation, of how many that fit,
/// on the problems with an answer about the operation: " (3 of 11 algorithms)", " (3 to 5 of 11
/// algorithms)" if problems differ. Empty if no guideline compares the operation with algorithms.
std::string algorithms_measured(const Report& report, const std::string& operation) {
    struct Algorithms {
        std::set<std::string> measured, all;
        bool has_answer = false;
    };
    const NameSet references = reference_names(report.header.implementations);
    std::map<std::string, Algorithms> by_problem;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind != CheckKind::verdict || check.left.way().operations() != operation)
            continue;
        Algorithms& here = by_problem[check.problem];
        here.has_answer |= check.verdict == Verdict::violated || check.verdict == Verdict::holds;
        const bool is_measured = check.verdict != Verdict::skipped;
        const bool fits = is_measured || record::is_skipped_by(ReasonKind::no_time, check.reason) ||
                          record::is_skipped_by(ReasonKind::slower_reference, check.reason);
        const bool is_of_algorithm = std::ranges::any_of(
            check.right.way().terms,
            [&](const Term& each) { return references.contains(each.form.name()); });
        if (!fits || !is_of_algorithm) continue;
        here.all.insert(check.right);
        if (is_measured) here.measured.insert(check.right);
    }
    std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0, all = 0;
    for (const auto& [problem, here] : by_problem) {
        if (!here.has_answer || here.all.empty()) continue;
        least = std::min(least, here.measured.size());
        most = std::max(most, here.measured.size());
        all = std::max(all, here.all.size());
    }
    if (all == 0) return "";
    const std::string range =
        least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
    return fmt::format(" ({} of {})", range, counted(all, "algorithm"));
}

/// Returns a sentence about the operations without a violation, either those with an answer or
/// those without.
std::string without_violation(const Report& report, bool has_answer) {
    std::vector<std::string> names;
    for (const OperationSummary& each : summaries_of_operations(report))
        if (each.worst == nullptr && (each.counts.decided() > 0) == has_answer)
            names.push_back(each.operation +
                            (has_answer ? algorithms_measured(report, each.operation) : ""));
    if (names.empty()) return "";
    return fmt::format("{} {}.",
                       has_answer ? "Nothing measured was faster than" : "No answer about",
                       fmt::join(names, ", "));
}

std::string duplicates_in_words(const Report& report) {
    if (!report.header.duplicates || report.header.duplicates->empty()) return "";
    const auto& duplicates = *report.header.duplicates;
    return fmt::format(
        "{} {} the same blocks on this number of ranks as another problem, and {} not measured "
        "again (such as {}: see {}).",
        counted(duplicates.size(), "problem"), duplicates.size() == 1 ? "has" : "have",
        duplicates.size() == 1 ? "was" : "were", duplicates.front().problem,
        duplicates.front().equal_to);
}

/// Returns the number that a rule other than evidence compares: "average".
std::string_view compared_number(judge::Criterion criterion) {
    switch (criterion) {
        case judge::Criterion::averages:
            return "average";
        case judge::Criterion::minima:
            return "minimum";
        case judge::Criterion::intervals:
            return "interval of the mean";
        default:
            return "median of launches, by Wilcoxon's test,";
    }
}

}  // namespace

std::string assurance_in_words(const Report& report) {
    const judge::Rule& rule = report.header.rule;
    const std::string slack = fmt::format("more than {:g} % slower", 100 * rule.tolerance);
    if (report.header.simulated)
        return fmt::format(
            "All times are simulated. A simulation repeats itself exactly, so one round decides: "
            "violated means {}.",
            slack);
    if (rule.criterion == judge::Criterion::evidence)
        return fmt::format(
            "Violated means {}, with enough evidence that the chance of any false violation in the "
            "whole audit is at most {:g} %.",
            slack, 100 * rule.alpha);
    return fmt::format(
        "Violated means that the {} of the left side is {}; this rule gives no bound on the chance "
        "of false violations.",
        compared_number(rule.criterion), rule.tolerance > 0 ? slack : "larger");
}

std::string remarks_in_words(const Report& report) {
    const VerdictCounts& counts = report.summary.remarks;
    if (counts.checks == 0) return "";
    return fmt::format(
        "{} more {} about reference algorithms, which come with mpiaudit: {}. That is no violation "
        "of the library.",
        separated(counts.checks), counts.checks == 1 ? "check is" : "checks are",
        counts.violated == 0
            ? "no reference algorithm was slower"
            : fmt::format("{} found one slower than another way", separated(counts.violated)));
}

std::string filtered_means_in_words(const Report& report) {
    const FilteredMeans& counts = report.summary.filtered_means;
    if (counts.checks == 0) return "";
    return fmt::format(
        "Means of the samples within Tukey's fences, which papers compare, accuse {} of {} "
        "measured "
        "check{}. The evidence alone accuses {}, the means alone {}. The evidence decides: it "
        "bounds "
        "the error of the whole audit, and it compares the two sides round by round, so neither "
        "drift nor a few long samples can decide (docs/method.md).",
        counts.violated, separated(counts.checks), counts.checks == 1 ? "" : "s",
        counts.evidence_only, counts.means_only);
}

std::vector<std::string> other_findings(const Report& report) {
    std::vector<std::string> all{distance_to_lower_bounds(report),  heaps_in_words(report),
                                 disagreements_of_launches(report), without_violation(report, true),
                                 without_violation(report, false),  duplicates_in_words(report)};
    std::erase(all, "");
    for (const Tail& each : report.tails) all.push_back(in_words(each));
    if (const auto skew = exit_skew_of(report)) all.push_back(in_words(*skew));
    for (std::string& each : faster_settings_in_words(report)) all.push_back(std::move(each));
    return all;
}

}  // namespace mpiaudit
