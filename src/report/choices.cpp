// SPDX-License-Identifier: BSD-3-Clause
#include "report/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace mpiaudit {
namespace {

using nlohmann::json;

/// MPI_Gather of MPI_Gather[binomial](m), and binomial; the latter empty without brackets.
std::pair<std::string, std::string> split_name(const std::string& name) {
    const std::size_t open = name.find('['), close = name.find(']');
    const std::string operation = name.substr(0, std::min(open, name.find('(')));
    if (open == std::string::npos || close == std::string::npos) return {operation, ""};
    return {operation, name.substr(open + 1, close - open - 1)};
}

json choice(const json& problem, const std::string& operation, const json& own,
            std::vector<json> algorithms) {
    std::ranges::sort(algorithms, {},
                      [](const json& each) { return each["median_s"].get<double>(); });
    const double own_s = own["statistics"]["median_s"];
    const auto faster = std::ranges::count_if(
        algorithms, [&](const json& each) { return each["median_s"].get<double>() < own_s; });
    return {{"problem", problem["id"]},
            {"operation", operation},
            {"median_s", own_s},
            {"rank", faster + 1},
            {"algorithms", std::move(algorithms)}};
}

}  // namespace

json choices(const json& problems) {
    json all = json::array();
    for (const json& problem : problems) {
        std::map<std::string, const json*> own;
        std::map<std::string, std::vector<json>> algorithms;
        for (const json& contestant : problem["contestants"]) {
            if (!contestant.contains("statistics") || contestant["steps"].size() != 1) continue;
            const auto [operation, algorithm] = split_name(contestant["name"]);
            if (algorithm.empty())
                own[operation] = &contestant;
            else if (contestant.value("forced", false))
                algorithms[operation].push_back(
                    {{"name", algorithm}, {"median_s", contestant["statistics"]["median_s"]}});
        }
        for (auto& [operation, measured] : algorithms) {
            if (own.contains(operation))
                all.push_back(choice(problem, operation, *own[operation], std::move(measured)));
        }
    }
    return all;
}

std::string choices_table(const json& report, const Terminal& terminal) {
    if (report["choices"].empty()) return "";
    std::string text = fmt::format("{:<21} {:<20} {:>9} {:>4}  {}\n", "The library's choice",
                                   "Problem", "us", "Rank", "Best algorithm, us");
    for (const json& each : report["choices"]) {
        const json& best = each["algorithms"].front();
        const double best_s = best["median_s"], own_s = each["median_s"];
        std::string line = fmt::format(
            "{:<21} {:<20} {:>9.2f} {:>4}  {} {:.2f}", each["operation"].get<std::string>(),
            each["problem"].get<std::string>(), own_s * 1e6, each["rank"].get<int>(),
            best["name"].get<std::string>(), best_s * 1e6);
        const auto columns = static_cast<std::size_t>(terminal.columns);
        if (line.size() > columns) line.resize(columns);
        text += line + "\n";
    }
    return text + "\n";
}

}  // namespace mpiaudit
