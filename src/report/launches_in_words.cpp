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

/// What launch `number` says alone about those of the checks that it measured.
std::map<std::string, int> verdicts_of(const json& report, const Checks& checks, int number) {
    std::map<std::string, int> verdicts;
    for (const json& check : report["checks"]) {
        if (!checks.contains({check["problem"], check["guideline"]}) || !check.contains("launches"))
            continue;
        for (const json& launch : check["launches"]) {
            if (launch["launch"] == number) ++verdicts[launch["verdict"]];
        }
    }
    return verdicts;
}

std::string confirmation_in_words(const json& report, const json& confirms, int number) {
    const Checks suspects = checks_of(confirms["suspects"]);
    const Checks controls = checks_of(confirms["controls"]);
    auto again = verdicts_of(report, suspects, number);
    std::string text = fmt::format(
        "{} suspected violation{} measured again in launch {}: {} confirmed, {} not clear, {} hold "
        "there",
        suspects.size(), suspects.size() == 1 ? "" : "s", number, again["violated"],
        again["undecided"], again["holds"]);
    if (controls.empty()) return text;
    auto control = verdicts_of(report, controls, number);
    return text + fmt::format("; {} other check{} as control: {} violated", controls.size(),
                              controls.size() == 1 ? "" : "s", control["violated"]);
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
    int number = 0;
    for (const json& launch : report["launches"]) {
        ++number;
        if (launch.contains("confirms"))
            sentences.push_back(confirmation_in_words(report, launch["confirms"], number));
    }
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
