// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "files/files.h"
#include "machine/placement.h"
#include "record/json_form.h"
#include "report/baseline.h"
#include "report/findings.h"
#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit {
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
    object["rounds"] = judgement.rounds;
    object["slower"] = judgement.slower;
    object["left_statistics"] = statistics_json(judgement.left);
    object["right_statistics"] = statistics_json(judgement.right);
    if (judgement.decided_at > 0) object["decided_at"] = judgement.decided_at;
    // Under evidence it is the median ratio.
    if (std::isfinite(judgement.factor) && judgement.factor != judgement.ratio.median)
        object["factor"] = judgement.factor;
    if (samples.has_ratio())
        object["ratio"] = {{"median", judgement.ratio.median},
                           {"low", judgement.ratio.low},
                           {"high", judgement.ratio.high},
                           {"coverage", judgement.ratio.coverage}};
    object["evidence"] = {{"log_e_violated", judgement.log_e_violated},
                          {"log_e_holds", judgement.log_e_holds},
                          {"bound_violated", samples.bound_violated},
                          {"bound_holds", samples.bound_holds}};
}

json alone_json(const JudgedSamples& samples) {
    json object = {{"verdict", name(samples.judgement.verdict)}};
    add_numbers(object, samples);
    return object;
}

json remedy_json(const Remedy& remedy) {
    json object = {
        {"contestant", remedy.contestant}, {"factor", remedy.factor}, {"saved_s", remedy.saved_s}};
    if (!remedy.code.empty()) object["code"] = remedy.code;
    return object;
}

json check_json(const JudgedCheck& check) {
    json object = {{"kind", name(check.kind)}, {"guideline", check.guideline},
                   {"problem", check.problem}, {"left", check.left},
                   {"right", check.right},     {"verdict", name(check.verdict)}};
    if (!check.reason.empty()) object["reason"] = check.reason;
    if (check.samples) add_numbers(object, *check.samples);
    if (check.launches_disagree) object["launches_disagree"] = true;
    for (const JudgedLaunch& each : check.launches) {
        json& launch = object["launches"].emplace_back(alone_json(each.samples));
        launch["launch"] = each.launch;
    }
    if (check.second) {
        json& second = object["second"] = alone_json(check.second->samples);
        second["synchronisation"] = check.second->synchronisation;
    }
    if (check.synchronisations_disagree) object["synchronisations_disagree"] = true;
    if (check.young_heap) object["young_heap"] = alone_json(*check.young_heap);
    if (check.remedy) object["remedy"] = remedy_json(*check.remedy);
    if (!check.advice.empty()) object["advice"] = check.advice;
    if (!check.reproduce.empty()) object["reproduce"] = check.reproduce;
    return object;
}

json problem_json(const ReportedProblem& problem) {
    json object = object_of(problem.problem);
    object["warm_up"] = object_of(problem.warm_up);
    if (problem.barrier) object["barrier"] = object_of(*problem.barrier);
    if (problem.window) object["window"] = object_of(*problem.window);
    if (problem.buffer_sets) object["buffer_sets"] = *problem.buffer_sets;
    if (problem.continued) object["continued"] = object_of(*problem.continued);
    object["rounds"] = problem.rounds;
    object["elapsed_s"] = problem.elapsed_s;
    json& contestants = object["contestants"] = json::array();
    for (const ReportedContestant& each : problem.contestants) {
        json& contestant = contestants.emplace_back(
            object_of(static_cast<const record::ContestantDescription&>(each)));
        if (each.statistics) contestant["statistics"] = statistics_json(*each.statistics);
    }
    return object;
}

json saving_json(const Saving& saving) {
    json object = {{"problem", saving.problem},
                   {"collective", saving.collective},
                   {"calls", saving.calls},
                   {"recorded_s", saving.recorded_s},
                   {"library_s", saving.library_s}};
    if (saving.instead.empty()) return object;
    object["instead"] = saving.instead;
    object["factor"] = saving.factor;
    object["saved_s"] = saving.saved_s;
    object["low_s"] = saving.low_s;
    object["high_s"] = saving.high_s;
    object["launches"] = saving.launches;
    return object;
}

json savings_json(const Savings& savings) {
    json problems = json::array();
    for (const Saving& each : savings.problems) problems.push_back(saving_json(each));
    return {{"recorded_s", savings.recorded_s}, {"audited_s", savings.audited_s},
            {"saved_s", savings.saved_s},       {"low_s", savings.low_s},
            {"high_s", savings.high_s},         {"problems", std::move(problems)}};
}

json range_json(const ViolatedRange& range) {
    json object = {{"operation", range.operation}, {"distribution", range.distribution},
                   {"first", range.first},         {"last", range.last},
                   {"sizes", range.sizes},         {"guideline", range.guideline},
                   {"problem", range.problem},     {"instead", range.instead},
                   {"saved_s", range.saved_s}};
    if (std::isfinite(range.factor)) object["factor"] = range.factor;
    if (range.below) object["below"] = *range.below;
    if (range.above) object["above"] = *range.above;
    return object;
}

json choice_json(const Choice& choice) {
    json algorithms = json::array();
    for (const Choice::Algorithm& each : choice.algorithms)
        algorithms.push_back({{"name", each.name}, {"median_s", each.median_s}});
    return {{"problem", choice.problem},
            {"operation", choice.operation},
            {"median_s", choice.median_s},
            {"rank", choice.rank},
            {"algorithms", std::move(algorithms)}};
}

json launch_json(const ReportedLaunch& launch) {
    json object = {{"started", launch.started},
                   {"order_seed", launch.order_seed},
                   {"checks", launch.checks},
                   {"elapsed_s", launch.elapsed_s},
                   {"machine", object_of(launch.machine)}};
    if (launch.confirms) object["confirms"] = object_of(*launch.confirms);
    return object;
}

json counts_json(const VerdictCounts& counts) {
    return {{"checks", counts.checks},
            {"violated", counts.violated},
            {"holds", counts.holds},
            {"undecided", counts.undecided},
            {"skipped", counts.skipped}};
}

/// What the first screen says is said here, for the pages and tables of analysis/.
json summary_json(const Report& report) {
    const ReportSummary& summary = report.summary;
    json object = counts_json(summary);
    object["audited"] = audited_system(report);
    object["headline"] = headline(report);
    object["other_forms"] = other_forms(report);
    object["remarks"] = counts_json(summary.remarks);
    object["wrong"] = summary.wrong;
    object["samples"] = summary.samples;
    object["fixed_protocol_samples"] = summary.fixed_protocol_samples;
    if (summary.launches_disagree) object["launches_disagree"] = *summary.launches_disagree;
    if (summary.synchronisations_disagree)
        object["synchronisations_disagree"] = *summary.synchronisations_disagree;
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
    if (!report.launches.empty()) object["launches"] = array_of(report.launches, launch_json);
    object["problems"] = array_of(report.problems, problem_json);
    object["choices"] = array_of(report.choices, choice_json);
    object["checks"] = array_of(report.checks, check_json);
    object["ranges"] = array_of(report.ranges, range_json);
    if (report.savings) object["savings"] = savings_json(*report.savings);
    object["elapsed_s"] = report.elapsed_s;
    object["summary"] = summary_json(report);
    return object.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

void write_report(const Report& report, const std::string& path) {
    replace_file(path, report_json(report));
}

NativeTimes native_times_in(const std::string& path) {
    std::filesystem::path file = path;
    std::error_code failure;
    if (std::filesystem::is_directory(file, failure)) file /= "report.json";
    if (!std::filesystem::exists(file, failure))
        throw UsageError(fmt::format("--baseline: there is no report {}", file.string()));
    try {
        const JsonDocument document(read_file(file), file.string());
        const json& report = document.value();
        if (!report.at("schema_version").get<std::string>().starts_with("1."))
            throw UsageError(
                fmt::format("--baseline: {}: its schema_version is {}, this version "
                            "of mpiaudit reads 1.x: audit again",
                            file.string(), report.at("schema_version").get<std::string>()));
        return times_in(report);
    } catch (const json::exception& error) {
        // The name of the exception stands in front, in brackets.
        const std::string_view what = error.what();
        throw UsageError(fmt::format("--baseline: {} is no report: {}", file.string(),
                                     what.substr(what.find(']') + 2)));
    } catch (const std::invalid_argument& error) {
        const std::string_view what = error.what();
        throw UsageError((what.starts_with("--") ? "" : "--baseline: ") + std::string(what));
    }
}

}  // namespace mpiaudit
