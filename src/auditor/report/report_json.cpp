// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "files/files.h"
#include "machine/placement.h"
#include "record/json_form.h"
#include "record/json_members.h"
#include "report/baseline.h"
#include "report/findings.h"
#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit {

MPIAUDIT_MEMBERS(judge::MedianInterval, (median, low, high, coverage))
MPIAUDIT_MEMBERS(Remedy, (contestant, factor, saved_s), (code))
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

namespace {

using nlohmann::json;

/// The parts that a report shares with the samples.
template <class T>
json object_of(const T& value) {
    json object = json::object();
    write_members(object, value);
    return object;
}

json statistics_json(const judge::Summary& summary) {
    return {{"samples", summary.samples},
            {"outliers", summary.outliers},
            {"mean_s", summary.mean},
            {"median_s", summary.median},
            {"minimum_s", summary.minimum},
            {"maximum_s", summary.maximum},
            {"mean_low_s", summary.mean_low},
            {"mean_high_s", summary.mean_high},
            {"standard_deviation_s", summary.standard_deviation},
            {"raw_mean_s", summary.raw_mean},
            {"raw_minimum_s", summary.raw_minimum}};
}

/// What a judgement says in numbers.
void add_numbers(json& object, const JudgedSamples& samples) {
    const judge::Judgement& judgement = samples.judgement;
    MPIAUDIT_REQUIRED(MemberWriter(object), judgement, rounds, slower)
    MPIAUDIT_OPTIONAL(MemberWriter(object), judgement, decided_at)
    object["left_statistics"] = statistics_json(judgement.left);
    object["right_statistics"] = statistics_json(judgement.right);
    // Under evidence it is the median ratio.
    if (std::isfinite(judgement.factor) && judgement.factor != judgement.ratio.median)
        object["factor"] = judgement.factor;
    if (samples.has_ratio()) object["ratio"] = object_of(judgement.ratio);
    MemberWriter evidence(object["evidence"]);
    MPIAUDIT_REQUIRED(evidence, judgement, log_e_violated, log_e_holds)
    MPIAUDIT_REQUIRED(evidence, samples, bound_violated, bound_holds)
}

json alone_json(const JudgedSamples& samples) {
    json object = {{"verdict", name(samples.judgement.verdict)}};
    add_numbers(object, samples);
    return object;
}

json check_json(const JudgedCheck& check) {
    json object = {{"kind", name(check.kind)}, {"verdict", name(check.verdict)}};
    MemberWriter writer(object);
    MPIAUDIT_REQUIRED(writer, check, guideline, problem, left, right)
    MPIAUDIT_OPTIONAL(writer, check, reason, launches_disagree, synchronisations_disagree, remedy,
                      advice, reproduce)
    if (check.samples) add_numbers(object, *check.samples);
    for (const JudgedLaunch& each : check.launches) {
        json& launch = object["launches"].emplace_back(alone_json(each.samples));
        launch["launch"] = each.launch;
    }
    if (check.second) {
        json& second = object["second"] = alone_json(check.second->samples);
        second["synchronisation"] = check.second->synchronisation;
    }
    if (check.young_heap) object["young_heap"] = alone_json(*check.young_heap);
    return object;
}

json problem_json(const ReportedProblem& problem) {
    json object = object_of(problem.problem);
    MemberWriter writer(object);
    MPIAUDIT_REQUIRED(writer, problem, warm_up, rounds, elapsed_s)
    MPIAUDIT_OPTIONAL(writer, problem, barrier, window, buffer_sets, continued)
    json& contestants = object["contestants"] = json::array();
    for (const ReportedContestant& each : problem.contestants) {
        json& contestant = contestants.emplace_back(
            object_of(static_cast<const record::ContestantDescription&>(each)));
        if (each.statistics) contestant["statistics"] = statistics_json(*each.statistics);
    }
    return object;
}

/// What the first screen says is said here, for the pages and tables of analysis/.
json summary_json(const Report& report) {
    const ReportSummary& summary = report.summary;
    json object = object_of<VerdictCounts>(summary);
    object["audited"] = audited_system(report);
    object["headline"] = headline(report);
    object["other_forms"] = other_forms(report);
    object["remarks"] = object_of(summary.remarks);
    MPIAUDIT_REQUIRED(MemberWriter(object), summary, wrong, samples, fixed_protocol_samples)
    MPIAUDIT_OPTIONAL(MemberWriter(object), summary, launches_disagree, synchronisations_disagree)
    return object;
}

template <class T>
json array_of(const std::vector<T>& values, json (*form)(const T&)) {
    json array = json::array();
    for (const T& each : values) array.push_back(form(each));
    return array;
}

NativeTimes times_in(const json& report) {
    NativeTimes times;
    for (const json& problem : report.at("problems")) {
        for (const json& each : problem.at("contestants"))
            if (each.contains("statistics"))
                add_time(times[identity_of(record::description_of(problem))], each.at("name"),
                         each.at("statistics").at("median_s"));
    }
    return times;
}

}  // namespace

std::string report_json(const Report& report) {
    json object = object_of(report.header);
    const RankPlacement placement = placement_of(report.header.machine.hosts);
    object["machine"]["placement"] = {{"hosts", placement.hosts},
                                      {"least_ranks", placement.least_ranks},
                                      {"most_ranks", placement.most_ranks},
                                      {"order", name(placement.order)}};
    if (report.machine_after) object["machine"]["after"] = object_of(*report.machine_after);
    object["complete"] = report.is_complete;
    object["problems"] = array_of(report.problems, problem_json);
    object["checks"] = array_of(report.checks, check_json);
    MPIAUDIT_REQUIRED(MemberWriter(object), report, choices, ranges, elapsed_s)
    MPIAUDIT_OPTIONAL(MemberWriter(object), report, launches, savings)
    object["summary"] = summary_json(report);
    return json_text(object, 1) + '\n';
}

void write_report(const Report& report, const std::string& path) {
    replace_file(path, report_json(report));
}

NativeTimes native_times_in(const std::string& path) {
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
        return times_in(report);
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
