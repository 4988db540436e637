// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

#include "report/choices.h"
#include "report/judged_check.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

// The protocol of the paper: 75 repetitions of everything.
constexpr int fixed_protocol_repetitions = 75;

/// The samples of a problem's contestant in all launches that measured it.
std::vector<double> pooled_samples(std::span<const json* const> lines, const json& contestant) {
    std::vector<double> all;
    for (const json* line : lines) {
        for (const json& each : (*line)["contestants"]) {
            if (each["name"] != contestant["name"]) continue;
            const std::vector<double> samples = samples_of(each);
            all.insert(all.end(), samples.begin(), samples.end());
        }
    }
    return all;
}

/// The problem without raw samples, counts and what only the judge needs.
json described_problem(std::span<const json* const> lines) {
    json problem = *lines.front();
    for (const char* key : {"kind", "counts", "order", "checks", "stopped", "second"})
        problem.erase(key);
    std::size_t rounds = 0;
    double elapsed_s = 0.0;
    for (const json* line : lines) {
        rounds += (*line)["order"].size();
        elapsed_s += (*line)["elapsed_s"].get<double>();
    }
    problem["rounds"] = rounds;
    problem["elapsed_s"] = elapsed_s;
    for (json& contestant : problem["contestants"]) {
        const std::vector<double> samples = pooled_samples(lines, contestant);
        contestant.erase("samples_s");
        contestant.erase("rank_times");
        if (!samples.empty()) contestant["statistics"] = statistics_json(judge::describe(samples));
    }
    return problem;
}

/// Says where a resumed audit went on, if not on the same hosts.
void warn_of_other_hosts(const json& problem, json& report) {
    if (!problem.contains("continued")) return;
    const json& continued = problem["continued"];
    if (continued["hosts"] == host_names(report)) return;
    report["warnings"].push_back(
        fmt::format("the audit went on with {} on other hosts ({}): compare its problems with care",
                    problem["id"].get<std::string>(),
                    fmt::join(continued["hosts"].get<std::vector<std::string>>(), ", ")));
}

json summary_of(const json& report, std::span<const SamplesFile> launches) {
    std::map<std::string, int> verdicts;
    int disagree = 0, synchronisations_disagree = 0, twice = 0;
    for (const json& check : report["checks"]) {
        ++verdicts[check["verdict"]];
        disagree += check.contains("launches_disagree");
        synchronisations_disagree += check.contains("synchronisations_disagree");
        twice += check.contains("second");
    }
    std::size_t taken = 0, fixed = 0, wrong = 0;
    for (const SamplesFile& launch : launches) {
        for (const json& problem : launch.problems) {
            for (const json& contestant : problem["contestants"]) {
                wrong += contestant.contains("wrong");
                if (!contestant.contains("samples_s")) continue;
                taken += contestant["samples_s"].size();
                fixed += fixed_protocol_repetitions;
            }
        }
    }
    json summary = {{"checks", report["checks"].size()},
                    {"violated", verdicts["violated"]},
                    {"holds", verdicts["holds"]},
                    {"undecided", verdicts["undecided"]},
                    {"skipped", verdicts["skipped"]},
                    {"wrong", wrong},
                    {"samples", taken},
                    {"fixed_protocol_samples", fixed}};
    if (launches.size() > 1) summary["launches_disagree"] = disagree;
    if (twice > 0) summary["synchronisations_disagree"] = synchronisations_disagree;
    return summary;
}

/// The lines of every problem, in the order of the launches.
std::map<std::string, std::vector<const json*>> lines_by_problem(
    std::span<const SamplesFile> launches) {
    std::map<std::string, std::vector<const json*>> lines;
    for (const SamplesFile& launch : launches) {
        for (const json& line : launch.problems) lines[line["id"]].push_back(&line);
    }
    return lines;
}

/// The checks of every launch by problem and guideline, so that a large audit needs no search.
using CheckKey = std::pair<std::string, std::string>;
std::map<CheckKey, std::vector<MeasuredCheck>> measured_checks(
    std::span<const SamplesFile> launches) {
    std::map<CheckKey, std::vector<MeasuredCheck>> all;
    int number = 0;
    for (const SamplesFile& launch : launches) {
        const auto seed = launch.header["options"]["order-seed"].get<std::uint64_t>();
        const int checks = std::max(1, launch.header["rule"]["checks"].get<int>());
        ++number;
        for (const json& line : launch.problems) {
            for (const json& check : line["checks"])
                all[{line["id"], check["guideline"]}].push_back(
                    {&line, &check, seed, checks, number});
        }
    }
    return all;
}

json launches_json(std::span<const SamplesFile> launches) {
    json all = json::array();
    for (const SamplesFile& launch : launches) {
        double elapsed_s = 0.0;
        for (const json& line : launch.problems) elapsed_s += line["elapsed_s"].get<double>();
        all.push_back({{"started", launch.header["started"]},
                       {"order_seed", launch.header["options"]["order-seed"]},
                       {"checks", launch.header["rule"]["checks"]},
                       {"elapsed_s", elapsed_s},
                       {"machine", launch.header["machine"]}});
        if (launch.header.contains("confirms")) all.back()["confirms"] = launch.header["confirms"];
    }
    return all;
}

/// Those that the report does not have yet.
void add_warnings(json& report, const json& warnings) {
    json& known = report["warnings"];
    for (const json& warning : warnings) {
        if (std::ranges::find(known, warning) == known.end()) known.push_back(warning);
    }
}

/// Everything but problems, checks and what follows from them.
json head_of_report(std::span<const SamplesFile> launches, const judge::Rule& rule) {
    json report = launches.front().header;
    report.erase("kind");
    report.erase("planned_problems");
    report["rule"]["criterion"] = name(rule.criterion);
    report["rule"]["tolerance"] = rule.tolerance;
    report["rule"]["alpha"] = rule.alpha;
    report["complete"] = std::ranges::all_of(launches, is_complete);
    if (launches.size() > 1) report["launches"] = launches_json(launches);
    for (const SamplesFile& launch : launches) {
        add_warnings(report, launch.header["warnings"]);
        for (const json& end : launch.ends) add_warnings(report, end["machine"]["warnings"]);
    }
    if (!launches.front().ends.empty()) {
        json after = launches.front().ends.back()["machine"];
        after.erase("warnings");
        report["machine"]["after"] = std::move(after);
    }
    return report;
}

}  // namespace

json make_report(const SamplesFile& samples, judge::Rule rule) {
    return make_report(std::span(&samples, 1), rule);
}

json make_report(std::span<const SamplesFile> launches, judge::Rule rule) {
    const json& header = launches.front().header;
    rule.checks = std::max(1, header["rule"]["checks"].get<int>());
    rule.deterministic = header.value("simulated", false);
    json report = head_of_report(launches, rule);
    report["problems"] = json::array();
    report["checks"] = json::array();
    std::map<std::string, std::string> advice;
    for (const json& guideline : header["guidelines"])
        advice[guideline["id"]] = guideline.value("advice", "");
    const auto measured = measured_checks(launches);
    const auto lines = lines_by_problem(launches);
    double elapsed_s = 0.0;
    for (const json& problem : launches.front().problems) {
        report["problems"].push_back(described_problem(lines.at(problem["id"])));
        warn_of_other_hosts(problem, report);
        elapsed_s += report["problems"].back()["elapsed_s"].get<double>();
        for (const json& check : problem["checks"]) {
            const auto id = check["guideline"].get<std::string>();
            json judged = judged_check(measured.at({problem["id"], id}), rule);
            if (judged["verdict"] == "violated") {
                if (!advice[id].empty()) judged["advice"] = advice[id];
                judged["reproduce"] = reproduce_command(header, id, problem);
            }
            report["checks"].push_back(std::move(judged));
        }
    }
    report["choices"] = choices(report["problems"]);
    report["elapsed_s"] = elapsed_s;
    report["summary"] = summary_of(report, launches);
    return report;
}

void write_report(const json& report, const std::string& path) {
    const std::string temporary = path + ".part";
    std::ofstream file(temporary);
    file << report.dump(1) << '\n';
    file.close();
    if (!file || std::rename(temporary.c_str(), path.c_str()) != 0)
        throw std::runtime_error(
            fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
}

}  // namespace mpiaudit
