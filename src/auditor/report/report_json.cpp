// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "files/files.h"
#include "machine/machine_description.h"
#include "record/json_form.h"
#include "record/json_members.h"
#include "report/console.h"
#include "report/findings.h"
#include "report/gate.h"
#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit {

template <>
struct Form<judge::Verdict> : FormByName<judge::Verdict, judge::verdict_names> {};
template <>
struct Form<CheckKind> : FormByName<CheckKind, kind_names> {};

MPIAUDIT_MEMBERS(judge::MedianInterval, (median, low, high, coverage))
MPIAUDIT_MEMBERS(judge::RuleVerdicts, (evidence, averages, filtered_means, minima))
MPIAUDIT_MEMBERS(Remedy, (contestant, factor, saved_s, left_s, instead_s), (code))
MPIAUDIT_MEMBERS(FilteredMeans, (checks, violated, evidence_only, means_only))
MPIAUDIT_MEMBERS(VerdictCounts, (checks, violated, holds, undecided, skipped))
MPIAUDIT_MEMBERS(Choice::Algorithm, (name, median_s))
MPIAUDIT_MEMBERS(Choice, (problem, operation, median_s, rank, algorithms))
MPIAUDIT_MEMBERS(ReportedLaunch, (started, order_seed, checks, elapsed_s, machine), (confirms))
MPIAUDIT_MEMBERS(Savings, (recorded_s, audited_s, saved_s, low_s, high_s, problems))

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
struct Form<AdviceKind> : FormByName<AdviceKind, advice_kinds> {};
MPIAUDIT_MEMBERS(MemoryLoss, (operation, function, when, bytes))

template <>
constexpr auto members_of<OverviewRow> = [](auto& io, auto& row) {
    MPIAUDIT_REQUIRED(io, row, operation, guideline, problem, kind, instead, lost_s, is_clear)
    MPIAUDIT_OPTIONAL(io, row, contestant, code, data, bytes, low_bytes, high_bytes, is_lowest,
                      is_highest)
    if (row.factor && std::isfinite(*row.factor)) io.required("factor", *row.factor);
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
    io.required("raw_mean_s", summary.raw_mean);
    io.required("raw_minimum_s", summary.raw_minimum);
};

template <>
constexpr auto members_of<JudgedSamples> = [](auto& io, auto& samples) {
    const judge::Judgement& judgement = samples.judgement;
    MPIAUDIT_REQUIRED(io, judgement, verdict, rounds, slower)
    MPIAUDIT_OPTIONAL(io, judgement, decided_at)
    io.required("left_statistics", judgement.left);
    io.required("right_statistics", judgement.right);
    // Under evidence it is the median ratio.
    if (std::isfinite(judgement.factor) && judgement.factor != judgement.ratio.median)
        io.required("factor", judgement.factor);
    if (samples.has_ratio() && samples.is_paired) io.required("ratio", judgement.ratio);
    if (samples.has_ratio() && !samples.is_paired)
        io.required("ratio_of_medians", judgement.ratio.median);
    io.required("evidence",
                std::map<std::string, double>{{"log_e_violated", judgement.log_e_violated},
                                              {"log_e_holds", judgement.log_e_holds},
                                              {"bound_violated", samples.bound_violated},
                                              {"bound_holds", samples.bound_holds}});
};

template <>
constexpr auto members_of<JudgedLaunch> = [](auto& io, auto& launch) {
    members_of<JudgedSamples>(io, launch.samples);
    MPIAUDIT_REQUIRED(io, launch, launch)
};

template <>
constexpr auto members_of<JudgedSecond> = [](auto& io, auto& second) {
    members_of<JudgedSamples>(io, second.samples);
    MPIAUDIT_REQUIRED(io, second, synchronisation)
};

template <>
constexpr auto members_of<JudgedCheck> = [](auto& io, auto& check) {
    if (check.samples) members_of<JudgedSamples>(io, *check.samples);
    if (check.samples) io.required("verdicts", check.samples->judgement.by);
    MPIAUDIT_REQUIRED(io, check, kind, verdict, guideline, problem, left, right)
    MPIAUDIT_OPTIONAL(io, check, reason, depends_on_order, launches, launches_disagree, second,
                      synchronisations_disagree, young_heap, remedy, advice, reproduce)
};

template <>
constexpr auto members_of<ReportedContestant> = [](auto& io, auto& contestant) {
    members_of<record::ContestantDescription>(io, contestant);
    MPIAUDIT_OPTIONAL(io, contestant, statistics)
};

template <>
constexpr auto members_of<ReportedProblem> = [](auto& io, auto& problem) {
    members_of<record::MeasuredProblem>(io, problem);
    MPIAUDIT_REQUIRED(io, problem, rounds, contestants)
};

namespace {

using nlohmann::json;

/// What the first screen says is said here, for the pages and tables of analysis/.
json summary_json(const Report& report) {
    const ReportSummary& summary = report.summary;
    json object = static_cast<const VerdictCounts&>(summary);
    object["audited"] = audited_system(report);
    object["headline"] = headline(report);
    object["other_forms"] = other_forms(report);
    object["launches_in_words"] = launches_of(report);
    object["violations_in_words"] = violations_in_words(report);
    object["other_findings"] = other_findings(report);
    object["remarks"] = summary.remarks;
    MPIAUDIT_REQUIRED(MemberWriter(object), summary, wrong, samples, fixed_protocol_samples)
    MPIAUDIT_OPTIONAL(MemberWriter(object), summary, launches_disagree, measured_alone,
                      synchronisations_disagree)
    if (summary.filtered_means.checks > 0) object["filtered_means"] = summary.filtered_means;
    return object;
}

Baseline baseline_of(const json& report) {
    Baseline baseline;
    for (const json& problem : report.at("problems")) {
        for (const json& each : problem.at("contestants")) {
            if (each.contains("statistics"))
                add_time(baseline.times[identity_of(record::description_of(problem))],
                         each.at("name"), each.at("statistics").at("median_s"));
            if (each.contains("wrong")) baseline.wrong_forms.insert(form_of_wrong(each.at("name")));
        }
    }
    if (report.contains("wrong_barrier"))
        baseline.wrong_forms.insert(report.at("wrong_barrier").at("operation"));
    return baseline;
}

}  // namespace

std::string report_json(const Report& report) {
    json object = report.header;
    const RankPlacement placement = placement_of(report.header.machine.hosts);
    object["machine"]["placement"] = {{"hosts", placement.hosts},
                                      {"least_ranks", placement.least_ranks},
                                      {"most_ranks", placement.most_ranks},
                                      {"order", name(placement.order)}};
    if (report.machine_after) object["machine"]["after"] = *report.machine_after;
    object["complete"] = report.is_complete;
    MPIAUDIT_REQUIRED(MemberWriter(object), report, problems, checks, choices, ranges, overview,
                      memory_losses, elapsed_s)
    MPIAUDIT_OPTIONAL(MemberWriter(object), report, launches, savings)
    if (report.wrong_barrier) object["wrong_barrier"] = *report.wrong_barrier;
    object["summary"] = summary_json(report);
    return json_text(object, 1) + '\n';
}

void write_report(const Report& report, const std::string& path) {
    replace_file(path, report_json(report));
}

Baseline read_baseline(const std::string& path) {
    std::filesystem::path file = path;
    std::error_code failure;
    if (std::filesystem::is_directory(file, failure)) file /= "report.json";
    if (!std::filesystem::exists(file, failure))
        throw UsageError("--baseline: there is no report {}", file.string());
    try {
        const JsonDocument document(read_file(file), file.string());
        const json& report = document.value();
        if (!report.at("schema_version").get<std::string>().starts_with("1."))
            throw UsageError(
                "--baseline: {}: its schema_version is {}, this version "
                "of mpiaudit reads 1.x: audit again",
                file.string(), report.at("schema_version").get<std::string>());
        return baseline_of(report);
    } catch (const json::exception& error) {
        // The name of the exception stands in front, in brackets.
        const std::string_view what = error.what();
        throw UsageError("--baseline: {} is no report: {}", file.string(),
                         what.substr(what.find(']') + 2));
    } catch (const std::invalid_argument& error) {
        const std::string_view what = error.what();
        throw UsageError((what.starts_with("--") ? "" : "--baseline: ") + std::string(what));
    }
}

}  // namespace mpiaudit
