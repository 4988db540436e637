// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "answer/answer.h"
#include "record/json_members.h"
#include "report/findings.h"
#include "report/gate.h"
#include "report/report.h"

/// Members of the structs of a report, as report.json has them.
namespace mpiaudit {

template <>
struct JsonValue<judge::Verdict> : JsonByName<judge::Verdict, judge::verdict_names> {};
template <>
struct JsonValue<CheckKind> : JsonByName<CheckKind, kind_names> {};

MPIAUDIT_MEMBERS(judge::MedianInterval, (median, low, high, coverage))
MPIAUDIT_MEMBERS(judge::RuleVerdicts, (evidence, averages, filtered_means, minima))
/// A check as report.json has the check, with its words.
struct WrittenRemedy {
    const Remedy& of;
    const CheckInWords& words;
};
struct WrittenCheck {
    const JudgedCheck& of;
    const CheckInWords& words;
};

template <>
inline constexpr auto members_of<WrittenRemedy> = [](auto& io, auto& remedy) {
    MPIAUDIT_REQUIRED(io, remedy.of, contestant, factor, saved_s, left_s, instead_s)
    MPIAUDIT_OPTIONAL(io, remedy.words, code, caveat)
};
MPIAUDIT_MEMBERS(FilteredMeans, (checks, violated, evidence_only, means_only))
MPIAUDIT_MEMBERS(VerdictCounts, (checks, violated, holds, undecided, skipped))
MPIAUDIT_MEMBERS(Choice::Algorithm, (name, median_s))
MPIAUDIT_MEMBERS(Choice, (problem, operation, median_s, rank, algorithms))
template <>
inline constexpr auto members_of<FasterSetting> = [](auto& io, auto& setting) {
    MPIAUDIT_REQUIRED(io, setting, operation, variables, algorithm, family, factor, saved_s,
                      launches)
    io.required("sentence", in_words(setting));
    MPIAUDIT_OPTIONAL(io, setting, bytes, slower_at_bytes, slower_by)
};
MPIAUDIT_MEMBERS(ContestantName, (name, operation, label, kind),
                 (implementation, function, start, is_copy))
MPIAUDIT_MEMBERS(OverviewRow::Way, (contestant, time_s))
MPIAUDIT_MEMBERS(OverviewRow::Worst, (factor, problem, contestant), (bytes))
MPIAUDIT_MEMBERS(Caveat, (is_wrong, problem), (factor))
template <>
inline constexpr auto members_of<Savings> = [](auto& io, auto& savings) {
    MPIAUDIT_REQUIRED(io, savings, recorded_s, audited_s, saved_s, low_s, high_s, problems)
    io.required("in_words", in_words(savings));
};

template <>
constexpr auto members_of<Saving> = [](auto& io, auto& saving) {
    MPIAUDIT_REQUIRED(io, saving, problem, collective, calls, recorded_s, library_s)
    if (saving.instead.empty()) return;
    MPIAUDIT_REQUIRED(io, saving, instead, factor, saved_s, low_s, high_s, launches)
};

template <>
constexpr auto members_of<ViolatedRange> = [](auto& io, auto& range) {
    MPIAUDIT_REQUIRED(io, range, operation, distribution, first, last, sizes, guideline, problem,
                      instead, saved_s)
    MPIAUDIT_OPTIONAL(io, range, below, above)
    if (std::isfinite(range.factor)) io.required("factor", range.factor);
};

template <>
struct JsonValue<AdviceKind> : JsonByName<AdviceKind, advice_kinds> {};
MPIAUDIT_MEMBERS(MemoryLoss, (operation, function, when, bytes))

template <>
constexpr auto members_of<Tail> = [](auto& io, auto& tail) {
    MPIAUDIT_REQUIRED(io, tail, operation, contestant, after_pause, calls, long_calls,
                      other_long_calls, usual_s, long_s, share, beside)
    io.required("sentence", in_words(tail));
    io.required("log_e", tail.log_e);
};

template <>
constexpr auto members_of<OverviewRow> = [](auto& io, auto& row) {
    MPIAUDIT_REQUIRED(io, row, operation, is_other_form, guideline, problem, kind, takes_s, lost_s,
                      is_per_block, is_clear, ways)
    MPIAUDIT_OPTIONAL(io, row, contestant, caveats, bytes, low_bytes, high_bytes, is_lowest,
                      is_highest, worst, factor_low, factor_high, instead_s, lacks_program)
    if (row.factor && std::isfinite(*row.factor)) io.required("factor", *row.factor);
};

template <>
constexpr auto members_of<RowInWords> = [](auto& io, auto& words) {
    MPIAUDIT_REQUIRED(io, words, instead, sentence, ranges)
    MPIAUDIT_OPTIONAL(io, words, code, data, caveat)
};

template <>
constexpr auto members_of<OperationSummary> = [](auto& io, auto& operation) {
    MPIAUDIT_REQUIRED(io, operation, operation, is_other_form)
    members_of<VerdictCounts>(io, operation.counts);
};

template <>
constexpr auto members_of<judge::Summary> = [](auto& io, auto& summary) {
    MPIAUDIT_REQUIRED(io, summary, samples, outliers)
    io.required("mean_s", summary.mean);
    io.required("median_s", summary.median);
    io.required("minimum_s", summary.minimum);
    io.required("maximum_s", summary.maximum);
    io.required("mean_low_s", summary.mean_low);
    io.required("mean_high_s", summary.mean_high);
    io.required("standard_deviation_s", summary.standard_deviation);
    io.required("p90_s", summary.p90);
    io.required("p99_s", summary.p99);
    MPIAUDIT_OPTIONAL(io, summary, long_share)
    if (summary.outliers == 0) return;
    io.required("raw_mean_s", summary.raw_mean);
    if (summary.raw_minimum != summary.minimum) io.required("raw_minimum_s", summary.raw_minimum);
};

/// The members that compare the two sides.
constexpr auto members_of_comparison = [](auto& io, auto& samples) {
    const judge::Judgement& judgement = samples.judgement;
    MPIAUDIT_REQUIRED(io, judgement, verdict, rounds, slower)
    MPIAUDIT_OPTIONAL(io, judgement, decided_at)
    // Under evidence the factor is the median ratio.
    if (std::isfinite(judgement.factor) && judgement.factor != judgement.ratio.median)
        io.required("factor", judgement.factor);
    if (samples.has_ratio() && samples.is_paired) io.required("ratio", judgement.ratio);
    if (samples.has_ratio() && !samples.is_paired)
        io.required("ratio_of_medians", judgement.ratio.median);
    // Readers compute the bounds: ln(checks / alpha) and ln(1 / alpha).
    io.required("evidence.log_e_violated", judgement.log_e_violated);
    io.required("evidence.log_e_holds", judgement.log_e_holds);
};

template <>
constexpr auto members_of<JudgedSamples> = [](auto& io, auto& samples) {
    members_of_comparison(io, samples);
    io.side("left_statistics", samples.judgement.left);
    io.side("right_statistics", samples.judgement.right);
};

template <>
constexpr auto members_of<JudgedLaunch> = [](auto& io, auto& launch) {
    members_of_comparison(io, launch.samples);
    MPIAUDIT_REQUIRED(io, launch, launch)
};

template <>
constexpr auto members_of<WrittenCheck> = [](auto& io, auto& written) {
    const JudgedCheck& check = written.of;
    if (check.samples) members_of<JudgedSamples>(io, *check.samples);
    if (check.samples) io.required("verdicts", check.samples->judgement.by);
    MPIAUDIT_REQUIRED(io, check, kind, verdict, guideline, problem, left, right)
    name_reason(io, "reason", check.reason);
    MPIAUDIT_OPTIONAL(io, check, depends_on_order, launches_disagree, young_heap)
    if (check.remedy) io.required("remedy", WrittenRemedy{*check.remedy, written.words});
    MPIAUDIT_OPTIONAL(io, written.words, advice, reproduce)
    if (!check.launches.empty()) io.rows("launches", check.launches, 4);
};

template <>
constexpr auto members_of<ReportedContestant> = [](auto& io, auto& contestant) {
    members_of<record::ContestantDescription>(io, contestant);
    MPIAUDIT_OPTIONAL(io, contestant, statistics)
};

template <>
constexpr auto members_of<ReportedLaunch> = [](auto& io, auto& launch) {
    MPIAUDIT_REQUIRED(io, launch, started, order_seed, checks, elapsed_s, machine)
    if (!launch.confirms) return;
    io.required("confirms.folder", launch.confirms->folder);
    io.required("confirms.started", launch.confirms->started);
    io.required("confirms.order_seed", launch.confirms->order_seed);
    io.rows("confirms.suspects", launch.confirms->suspects);
    io.rows("confirms.controls", launch.confirms->controls);
};

template <>
constexpr auto members_of<ReportedProblem> = [](auto& io, auto& problem) {
    members_of<record::MeasuredProblem>(io, problem);
    MPIAUDIT_REQUIRED(io, problem, rounds)
    io.required("identity", fmt::format("{}", fmt::join(identity_of(problem.problem), " ")));
    io.required("native_s", operation_times(problem));
    io.rows("contestants", problem.contestants, 6);
};

}  // namespace mpiaudit
