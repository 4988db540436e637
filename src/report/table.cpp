// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/console.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

constexpr int name_width = 11;  // alternating
constexpr int amount_width = 7;
constexpr int time_width = 5;
// A space, then average and minimum, each with room for a mark behind it: four columns fit 80.
constexpr int column_width = 1 + 2 * (time_width + 1);

/// Contestants between the same two layouts, in the order of their first appearance.
struct Group {
    std::string from, to;
    std::vector<std::string> columns;
};

std::vector<Group> groups_of(const json& report) {
    std::vector<Group> groups;
    for (const json& problem : report["problems"]) {
        for (const json& contestant : problem["contestants"]) {
            const std::string from = contestant["from"], to = contestant["to"];
            auto group = std::ranges::find_if(
                groups, [&](const Group& each) { return each.from == from && each.to == to; });
            if (group == groups.end()) group = groups.insert(groups.end(), {from, to, {}});
            const std::string name = contestant["name"];
            if (std::ranges::find(group->columns, name) == group->columns.end())
                group->columns.push_back(name);
        }
    }
    return groups;
}

using Violated = std::set<std::pair<std::string, std::string>>;  // problem, contestant

Violated violations_of(const json& report) {
    Violated violated;
    for (const json& check : report["checks"]) {
        if (check["verdict"] == "violated") violated.emplace(check["problem"], check["left"]);
    }
    return violated;
}

const json* find_contestant(const json& problem, const std::string& name, const Group& group) {
    for (const json& each : problem["contestants"]) {
        if (each["name"] == name && each["from"] == group.from && each["to"] == group.to)
            return &each;
    }
    return nullptr;
}

/// Short headings a, b, c ...: the names are longer than any column.
std::string letter(std::size_t column) {
    std::string text(1, static_cast<char>('A' + column % 26));
    return column < 26 ? text : text + std::to_string(column / 26);
}

std::string cell(const json* contestant, bool is_violated, const Terminal& terminal) {
    std::string text;
    if (contestant == nullptr || !contestant->contains("statistics")) {
        const char* sign = contestant != nullptr && contestant->contains("wrong") ? "wrong" : "-";
        return fmt::format(" {:>{}} {:>{}} ", sign, time_width, sign, time_width);
    }
    const json& statistics = (*contestant)["statistics"];
    text = " ";
    for (const char* key : {"mean_s", "minimum_s"}) {
        const std::string number = microseconds(statistics[key]);
        if (is_violated && terminal.colour)
            text += fmt::format("\033[1;31m{:>{}}!\033[0m", number, time_width);
        else
            text += fmt::format("{:>{}}{}", number, time_width, is_violated ? '!' : ' ');
    }
    return text;
}

std::string title(const Group& group, bool is_simulated, const Terminal& terminal) {
    const std::string what = fmt::format("{} -> {}, microseconds{}", group.from, group.to,
                                         is_simulated ? ", simulated" : "");
    const std::string marks = "! left side of a violated guideline";
    const bool fits = what.size() + 2 + marks.size() <= static_cast<std::size_t>(terminal.columns);
    return what + (fits ? "; " : "\n  ") + marks + "\n";
}

std::string heading(const Group& group, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t column = first; column < last; ++column)
        text += fmt::format("  {}: {}\n", letter(column), group.columns[column]);
    text += fmt::format("{:<{}} {:>{}} {:>{}}", "", name_width, "", amount_width, "", amount_width);
    for (std::size_t column = first; column < last; ++column)
        text += fmt::format(" {:>{}}", letter(column) + "     ", column_width - 1);
    text += fmt::format("\n{:<{}} {:>{}} {:>{}}", "Problem", name_width, "m", amount_width, "m'",
                        amount_width);
    for (std::size_t column = first; column < last; ++column)
        text += fmt::format(" {:>{}} {:>{}} ", "avg", time_width, "min", time_width);
    return text + "\n";
}

std::string rows(const json& report, const Group& group, std::size_t first, std::size_t last,
                 const Violated& violated, const Terminal& terminal) {
    std::string text, previous;
    for (const json& problem : report["problems"]) {
        const auto is_here = [&](const std::string& name) {
            return find_contestant(problem, name, group) != nullptr;
        };
        if (std::ranges::none_of(group.columns, is_here)) continue;
        const std::string distribution = problem["distribution"];
        const std::string shown = distribution == previous ? "" : distribution;
        previous = distribution;
        if (shown.size() > name_width) text += shown + "\n";
        text += fmt::format("{:<{}} {:>{}} {:>{}}", shown.size() > name_width ? "" : shown,
                            name_width, amount(problem["total"]), amount_width,
                            amount(problem["padded_total"]), amount_width);
        for (std::size_t column = first; column < last; ++column) {
            const std::string& name = group.columns[column];
            text += cell(find_contestant(problem, name, group),
                         violated.contains({problem["id"], name}), terminal);
        }
        text += "\n";
    }
    return text;
}

}  // namespace

std::string microseconds(double seconds) {
    const double us = seconds * 1e6;
    if (us < 9.9995) return fmt::format("{:.3f}", us);
    if (us < 99.995) return fmt::format("{:.2f}", us);
    if (us < 999.95) return fmt::format("{:.1f}", us);
    if (us < 99999.5) return fmt::format("{:.0f}", us);
    if (us < 999.5e3) return fmt::format("{:.0f}k", us / 1e3);
    return fmt::format("{:.3g}M", us / 1e6);
}

std::string amount(std::int64_t elements) {
    if (elements < 10'000'000) return std::to_string(elements);
    const auto value = static_cast<double>(elements);
    if (value < 999.95e6) return fmt::format("{:.2f}M", value / 1e6);
    return fmt::format("{:.2f}G", value / 1e9);
}

std::string tables(const json& report, const Terminal& terminal) {
    const Violated violated = violations_of(report);
    std::string text;
    const int fixed = name_width + 2 * (amount_width + 1);
    const auto fit =
        static_cast<std::size_t>(std::max(1, (terminal.columns - fixed) / column_width));
    for (const Group& group : groups_of(report)) {
        for (std::size_t first = 0; first < group.columns.size(); first += fit) {
            const std::size_t last = std::min(first + fit, group.columns.size());
            text += title(group, report["simulated"].get<bool>(), terminal);
            text += heading(group, first, last);
            text += rows(report, group, first, last, violated, terminal);
            text += "\n";
        }
    }
    return text;
}

}  // namespace mpiaudit
