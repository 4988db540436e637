// SPDX-License-Identifier: BSD-3-Clause
#include "report/judged_check.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "judge/launches.h"
#include "random/seeds.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

const json& side(const MeasuredCheck& measured, const char* which) {
    return (*measured.problem)["contestants"][(*measured.check)[which].get<std::size_t>()];
}

/// Why a check has no samples; empty when it has.
std::string reason_for_skip(const MeasuredCheck& measured) {
    const json& left = side(measured, "left");
    const json& right = side(measured, "right");
    for (const json* each : {&left, &right}) {
        const auto name = (*each)["name"].get<std::string>();
        if (each->contains("wrong"))
            return fmt::format("{} is wrong: {}", name, (*each)["wrong"].get<std::string>());
        if (each->contains("skipped")) {
            const auto reason = (*each)["skipped"].get<std::string>();
            return reason.starts_with(name.substr(0, name.find('('))) ? reason
                                                                      : name + ": " + reason;
        }
    }
    return left.contains("samples_s") && right.contains("samples_s")
               ? ""
               : "no time was left to measure it";
}

bool is_wrong(const MeasuredCheck& measured) {
    return side(measured, "left").contains("wrong") || side(measured, "right").contains("wrong");
}

std::string reason_for_doubt(const json& problem, int rounds) {
    // What had been given up by then has fewer rounds than the problem.
    if (problem["stopped"] == "budget" &&
        static_cast<std::size_t>(rounds) == problem["order"].size())
        return fmt::format("the time budget was used up after {} rounds", rounds);
    return fmt::format("not clear after {} rounds: too close to decide within --max-rounds",
                       rounds);
}

std::string reason_for_doubt(const judge::JointJudgement& judgement,
                             std::span<const MeasuredCheck> launches) {
    if (!judgement.launches_disagree)
        return fmt::format("not clear after {} rounds in {} launches", judgement.joint.rounds,
                           launches.size());
    std::string ratios, numbers;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        ratios += fmt::format(" {:.2f}", judgement.launches[i].ratio.median);
        numbers += fmt::format(" {}", launches[i].launch);
    }
    return fmt::format("launches disagree: ratios{} in launches{}", ratios, numbers);
}

/// What a judgement says in numbers.
json numbers(const judge::Judgement& judgement, const judge::Rule& rule) {
    json judged = {{"verdict", name(judgement.verdict)},
                   {"rounds", judgement.rounds},
                   {"slower", judgement.slower},
                   {"left_statistics", statistics_json(judgement.left)},
                   {"right_statistics", statistics_json(judgement.right)}};
    if (judgement.decided_at > 0) judged["decided_at"] = judgement.decided_at;
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

bool is_contradiction(const std::string& verdict, const std::string& other) {
    return (verdict == "violated" && other == "holds") ||
           (verdict == "holds" && other == "violated");
}

judge::LaunchSamples launch_samples(const MeasuredCheck& measured) {
    const auto seed =
        coin_seed(measured.order_seed, (*measured.problem)["id"], (*measured.check)["guideline"]);
    return {samples_of(side(measured, "left")), samples_of(side(measured, "right")), seed,
            measured.checks};
}

/// The numbers over all launches, and those of each.
json joint_numbers(std::span<const MeasuredCheck> launches, const judge::Rule& rule) {
    std::vector<judge::LaunchSamples> samples;
    for (const MeasuredCheck& each : launches) samples.push_back(launch_samples(each));
    const judge::JointJudgement judgement = judge_launches(samples, rule);
    json judged = numbers(judgement.joint, rule);
    if (judgement.joint.verdict == judge::Verdict::undecided)
        judged["reason"] = reason_for_doubt(judgement, launches);
    if (judgement.launches_disagree) judged["launches_disagree"] = true;
    judged["launches"] = json::array();
    for (std::size_t i = 0; i < launches.size(); ++i) {
        judge::Rule own = rule;
        own.checks = launches[i].checks;
        judged["launches"].push_back(numbers(judgement.launches[i], own));
        judged["launches"].back()["launch"] = launches[i].launch;
    }
    return judged;
}

/// What the samples of the other synchronisation say, if there are any.
void add_second(const MeasuredCheck& measured, const judge::Rule& rule, json& judged) {
    if (!measured.problem->contains("second")) return;
    const json& second = (*measured.problem)["second"];
    const auto samples = [&](const char* which) {
        return second["samples_s"][(*measured.check)[which].get<std::size_t>()]
            .get<std::vector<double>>();
    };
    const auto left_s = samples("left"), right_s = samples("right");
    if (left_s.empty() || right_s.empty()) return;
    const auto seed = coin_seed(measured.order_seed + second_way, (*measured.problem)["id"],
                                (*measured.check)["guideline"]);
    json other = numbers(judge::judge(left_s, right_s, rule, seed), rule);
    other["synchronisation"] = second["synchronisation"];
    if (is_contradiction(judged["verdict"], other["verdict"]))
        judged["synchronisations_disagree"] = true;
    judged["second"] = std::move(other);
}

json only_numbers(const MeasuredCheck& measured, const judge::Rule& rule) {
    const judge::LaunchSamples samples = launch_samples(measured);
    const auto judgement = judge::judge(samples.left_s, samples.right_s, rule, samples.coin_seed);
    json judged = numbers(judgement, rule);
    if (judgement.verdict == judge::Verdict::undecided)
        judged["reason"] = reason_for_doubt(*measured.problem, judgement.rounds);
    add_second(measured, rule, judged);
    return judged;
}

}  // namespace

json statistics_json(const judge::Summary& summary) {
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

json judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule) {
    const MeasuredCheck& first = launches.front();
    json judged = {{"guideline", (*first.check)["guideline"]},
                   {"problem", (*first.problem)["id"]},
                   {"left", side(first, "left")["name"]},
                   {"right", side(first, "right")["name"]}};
    std::vector<MeasuredCheck> measured;
    std::string reason;
    for (const MeasuredCheck& each : launches) {
        std::string obstacle = reason_for_skip(each);
        if (obstacle.empty()) measured.push_back(each);
        // A wrong result in one launch outweighs all times.
        if (reason.empty() || is_wrong(each)) reason = std::move(obstacle);
        if (is_wrong(each)) measured.clear();
        if (is_wrong(each)) break;
    }
    if (measured.empty()) {
        judged["verdict"] = "skipped";
        judged["reason"] = reason;
    } else {
        judged.update(measured.size() == 1 ? only_numbers(measured.front(), rule)
                                           : joint_numbers(measured, rule));
    }
    return judged;
}

}  // namespace mpiaudit
