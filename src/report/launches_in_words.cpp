// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/console.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

constexpr std::size_t disagreements_in_words = 3;

using Checks = std::set<std::pair<std::string, std::string>>;

Checks checks_of(const json& list) {
    Checks checks;
    for (const json& each : list) checks.emplace(each["problem"], each["guideline"]);
    return checks;
}

/// How the launches that measured the checks again judge them, each alone.
struct Again {
    int violated = 0;  ///< in all of these launches
    int held = 0;      ///< in at least one
    int unclear = 0;   ///< the others
    int accused = 0;   ///< violated in at least one
};

Again count_again(const json& report, const Checks& checks, const std::set<int>& launches) {
    Again again;
    for (const json& check : report["checks"]) {
        if (!checks.contains({check["problem"], check["guideline"]}) || !check.contains("launches"))
            continue;
        std::set<std::string> verdicts;
        for (const json& launch : check["launches"]) {
            if (launches.contains(launch["launch"])) verdicts.insert(launch["verdict"]);
        }
        if (verdicts.empty()) continue;
        again.accused += verdicts.contains("violated");
        if (verdicts == std::set<std::string>{"violated"})
            ++again.violated;
        else
            ++(verdicts.contains("holds") ? again.held : again.unclear);
    }
    return again;
}

std::string confirmation_in_words(const json& report, const json& confirms,
                                  const std::set<int>& launches) {
    const Checks suspects = checks_of(confirms["suspects"]);
    const Checks controls = checks_of(confirms["controls"]);
    const bool several = launches.size() > 1;
    const Again again = count_again(report, suspects, launches);
    std::string text = fmt::format(
        "{} suspected violation{} measured again in {}: {} confirmed{}, {} not clear, {} hold {}",
        suspects.size(), suspects.size() == 1 ? "" : "s",
        several ? fmt::format("launches {} to {}", *launches.begin(), *launches.rbegin())
                : fmt::format("launch {}", *launches.begin()),
        again.violated, several ? " by all" : "", again.unclear, again.held,
        several ? "in some" : "there");
    if (controls.empty()) return text;
    return text + fmt::format("; {} other check{} as control: {} violated", controls.size(),
                              controls.size() == 1 ? "" : "s",
                              count_again(report, controls, launches).accused);
}

}  // namespace

std::vector<std::string> synchronisations_in_words(const json& report) {
    std::vector<std::string> sentences;
    if (!report["summary"].contains("synchronisations_disagree")) return sentences;
    sentences.push_back(fmt::format("barrier and global clock contradict each other on {} checks",
                                    report["summary"]["synchronisations_disagree"].get<int>()));
    for (const json& check : report["checks"]) {
        if (!check.contains("synchronisations_disagree") ||
            sentences.size() > disagreements_in_words)
            continue;
        const auto ratio = [](const json& numbers) {
            return numbers.contains("ratio")
                       ? fmt::format("{:.2f}", numbers["ratio"]["median"].get<double>())
                       : "infinite";
        };
        sentences.push_back(
            fmt::format("{} <= {} on {}: ratio {} after a barrier, {} by the clock",
                        check["left"].get<std::string>(), check["right"].get<std::string>(),
                        check["problem"].get<std::string>(), ratio(check), ratio(check["second"])));
    }
    return sentences;
}

std::vector<std::string> launches_in_words(const json& report) {
    std::vector<std::string> sentences;
    if (!report.contains("launches")) return sentences;
    sentences.push_back(fmt::format("{} launches judged together", report["launches"].size()));
    // Launches that confirm the same audit have measured the same checks.
    std::map<std::string, std::pair<json, std::set<int>>> confirmations;
    int number = 0;
    for (const json& launch : report["launches"]) {
        ++number;
        if (!launch.contains("confirms")) continue;
        auto& [confirms, launches] = confirmations[launch["confirms"]["suspects"].dump()];
        confirms = launch["confirms"];
        launches.insert(number);
    }
    for (const auto& [suspects, confirmation] : confirmations)
        sentences.push_back(confirmation_in_words(report, confirmation.first, confirmation.second));
    std::size_t disagreements = 0;
    for (const json& check : report["checks"]) {
        if (!check.contains("launches_disagree")) continue;
        if (++disagreements > disagreements_in_words) continue;
        sentences.push_back(fmt::format("{} <= {} on {}: {}", check["left"].get<std::string>(),
                                        check["right"].get<std::string>(),
                                        check["problem"].get<std::string>(),
                                        check["reason"].get<std::string>()));
    }
    if (disagreements > disagreements_in_words)
        sentences.push_back(fmt::format("launches disagree on {} checks in all", disagreements));
    return sentences;
}

}  // namespace mpiaudit
