// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "report/choices.h"
#include "report/seeds.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

// The protocol of the paper: 75 repetitions of everything.
constexpr int fixed_protocol_repetitions = 75;

json statistics(const judge::Summary& summary) {
    return {{"samples", summary.samples},
            {"outliers", summary.outliers},
            {"mean_s", summary.mean},
            {"median_s", summary.median},
            {"minimum_s", summary.minimum},
            {"maximum_s", summary.maximum},
            {"mean_low_s", summary.mean_low},
            {"mean_high_s", summary.mean_high},
            {"standard_deviation_s", summary.standard_deviation}};
}

std::vector<double> samples_of(const json& contestant) {
    return contestant.contains("samples_s") ? contestant["samples_s"].get<std::vector<double>>()
                                            : std::vector<double>{};
}

/// Why a check has no samples; empty when it has.
std::string reason_for_skip(const json& left, const json& right) {
    for (const json* side : {&left, &right}) {
        const auto name = (*side)["name"].get<std::string>();
        if (side->contains("wrong"))
            return fmt::format("{} is wrong: {}", name, (*side)["wrong"].get<std::string>());
        if (side->contains("skipped")) {
            const auto reason = (*side)["skipped"].get<std::string>();
            return reason.starts_with(name.substr(0, name.find('('))) ? reason
                                                                      : name + ": " + reason;
        }
    }
    return left.contains("samples_s") && right.contains("samples_s")
               ? ""
               : "no time was left to measure it";
}

std::string reason_for_doubt(const json& problem, int rounds) {
    if (problem["stopped"] == "budget")
        return fmt::format("the time budget was used up after {} rounds", rounds);
    return fmt::format("not clear after {} rounds (--max-rounds)", rounds);
}

json judged_check(const json& check, const json& problem, const judge::Rule& rule,
                  std::uint64_t order_seed) {
    const json& left = problem["contestants"][check["left"].get<std::size_t>()];
    const json& right = problem["contestants"][check["right"].get<std::size_t>()];
    json judged = {{"guideline", check["guideline"]},
                   {"problem", problem["id"]},
                   {"left", left["name"]},
                   {"right", right["name"]}};
    if (const std::string reason = reason_for_skip(left, right); !reason.empty()) {
        judged["verdict"] = "skipped";
        judged["reason"] = reason;
        return judged;
    }
    const auto judgement = judge::judge(samples_of(left), samples_of(right), rule,
                                        coin_seed(order_seed, problem["id"], check["guideline"]));
    judged["verdict"] = name(judgement.verdict);
    if (judgement.verdict == judge::Verdict::undecided)
        judged["reason"] = reason_for_doubt(problem, judgement.rounds);
    judged["rounds"] = judgement.rounds;
    if (judgement.decided_at > 0) judged["decided_at"] = judgement.decided_at;
    judged["slower"] = judgement.slower;
    judged["left_statistics"] = statistics(judgement.left);
    judged["right_statistics"] = statistics(judgement.right);
    // A ratio to a time of zero is infinite, which JSON cannot say: a clock that coarse has been
    // warned of.
    if (std::isfinite(judgement.ratio.median) && std::isfinite(judgement.ratio.high))
        judged["ratio"] = {{"median", judgement.ratio.median},
                           {"low", judgement.ratio.low},
                           {"high", judgement.ratio.high},
                           {"coverage", judgement.ratio.coverage}};
    judged["evidence"] = {{"log_e_violated", judgement.log_e_violated},
                          {"log_e_holds", judgement.log_e_holds},
                          {"bound_violated", std::log(rule.checks / rule.alpha)},
                          {"bound_holds", std::log(1.0 / rule.alpha)}};
    return judged;
}

/// The problem without raw samples, counts and what only the judge needs.
json described_problem(const json& line) {
    json problem = line;
    for (const char* key : {"kind", "counts", "order", "checks", "stopped"}) problem.erase(key);
    problem["rounds"] = line["order"].size();
    for (json& contestant : problem["contestants"]) {
        const std::vector<double> samples = samples_of(contestant);
        contestant.erase("samples_s");
        if (!samples.empty()) contestant["statistics"] = statistics(judge::describe(samples));
    }
    return problem;
}

json summary_of(const json& report, const SamplesFile& samples) {
    std::map<std::string, int> verdicts;
    for (const json& check : report["checks"]) ++verdicts[check["verdict"]];
    std::size_t taken = 0, fixed = 0, wrong = 0;
    for (const json& problem : samples.problems) {
        for (const json& contestant : problem["contestants"]) {
            wrong += contestant.contains("wrong");
            if (!contestant.contains("samples_s")) continue;
            taken += contestant["samples_s"].size();
            fixed += fixed_protocol_repetitions;
        }
    }
    return {{"checks", report["checks"].size()},
            {"violated", verdicts["violated"]},
            {"holds", verdicts["holds"]},
            {"undecided", verdicts["undecided"]},
            {"skipped", verdicts["skipped"]},
            {"wrong", wrong},
            {"samples", taken},
            {"fixed_protocol_samples", fixed}};
}

}  // namespace

json make_report(const SamplesFile& samples, judge::Rule rule) {
    const json& header = samples.header;
    rule.checks = std::max(1, header["rule"]["checks"].get<int>());
    rule.deterministic = header.value("simulated", false);
    const auto order_seed = header["options"]["order-seed"].get<std::uint64_t>();
    json report = header;
    report.erase("kind");
    report.erase("planned_problems");
    report["rule"]["criterion"] = name(rule.criterion);
    report["rule"]["tolerance"] = rule.tolerance;
    report["rule"]["alpha"] = rule.alpha;
    report["complete"] = samples.problems.size() == header["planned_problems"].get<std::size_t>();
    report["problems"] = json::array();
    report["checks"] = json::array();
    std::map<std::string, std::string> advice;
    for (const json& guideline : header["guidelines"])
        advice[guideline["id"]] = guideline.value("advice", "");
    double elapsed_s = 0.0;
    for (const json& problem : samples.problems) {
        elapsed_s += problem["elapsed_s"].get<double>();
        report["problems"].push_back(described_problem(problem));
        for (const json& check : problem["checks"]) {
            json judged = judged_check(check, problem, rule, order_seed);
            if (judged["verdict"] == "violated") {
                const auto id = check["guideline"].get<std::string>();
                if (!advice[id].empty()) judged["advice"] = advice[id];
                judged["reproduce"] = reproduce_command(header, id, problem);
            }
            report["checks"].push_back(std::move(judged));
        }
    }
    report["choices"] = choices(report["problems"]);
    report["elapsed_s"] = elapsed_s;
    report["summary"] = summary_of(report, samples);
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
