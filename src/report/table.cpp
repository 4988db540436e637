// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/console.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

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

std::vector<Group> groups_of(const Report& report) {
    std::vector<Group> groups;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& contestant : problem.contestants) {
            auto group = std::ranges::find_if(groups, [&](const Group& each) {
                return each.from == contestant.from && each.to == contestant.to;
            });
            if (group == groups.end())
                group = groups.insert(groups.end(), {contestant.from, contestant.to, {}});
            if (std::ranges::find(group->columns, contestant.name) == group->columns.end())
                group->columns.push_back(contestant.name);
        }
    }
    return groups;
}

using Violated = std::set<std::pair<std::string, std::string>>;  // problem, contestant

Violated violated_left_sides(const Report& report) {
    Violated violated;
    for (const JudgedCheck& check : report.checks) {
        if (check.verdict == judge::Verdict::violated) violated.emplace(check.problem, check.left);
    }
    return violated;
}

const ReportedContestant* find_contestant(const ReportedProblem& problem, const std::string& name,
                                          const Group& group) {
    for (const ReportedContestant& each : problem.contestants) {
        if (each.name == name && each.from == group.from && each.to == group.to) return &each;
    }
    return nullptr;
}

/// Short headings a, b, c ...: the names are longer than any column.
std::string letter(std::size_t column) {
    std::string text(1, static_cast<char>('A' + column % 26));
    return column < 26 ? text : text + std::to_string(column / 26);
}

std::string cell(const ReportedContestant* contestant, bool is_violated, const Terminal& terminal) {
    std::string text;
    if (contestant == nullptr || !contestant->statistics) {
        const char* sign = contestant != nullptr && contestant->wrong ? "wrong" : "-";
        return fmt::format(" {:>{}} {:>{}} ", sign, time_width, sign, time_width);
    }
    text = " ";
    for (const double time_s :
         {contestant->statistics->mean, contestant->statistics->raw_minimum}) {
        const std::string number = microseconds(time_s);
        if (is_violated && terminal.colour)
            text += fmt::format("{}{:>{}}!{}", emphasis_begins, number, time_width, emphasis_ends);
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

std::string rows(const Report& report, const Group& group, std::size_t first, std::size_t last,
                 const Violated& violated, const Terminal& terminal) {
    std::string text, previous;
    for (const ReportedProblem& problem : report.problems) {
        const auto is_here = [&](const std::string& name) {
            return find_contestant(problem, name, group) != nullptr;
        };
        if (std::ranges::none_of(group.columns, is_here)) continue;
        const std::string& distribution = problem.problem.distribution;
        const std::string shown = distribution == previous ? "" : distribution;
        previous = distribution;
        if (shown.size() > name_width) text += shown + "\n";
        text += fmt::format("{:<{}} {:>{}} {:>{}}", shown.size() > name_width ? "" : shown,
                            name_width, amount(problem.problem.total), amount_width,
                            amount(problem.problem.padded_total), amount_width);
        for (std::size_t column = first; column < last; ++column) {
            const std::string& name = group.columns[column];
            text += cell(find_contestant(problem, name, group),
                         violated.contains({problem.problem.id, name}), terminal);
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

std::string tables(const Report& report, const Terminal& terminal) {
    const Violated violated = violated_left_sides(report);
    std::string text;
    const int fixed = name_width + 2 * (amount_width + 1);
    const auto fit =
        static_cast<std::size_t>(std::max(1, (terminal.columns - fixed) / column_width));
    for (const Group& group : groups_of(report)) {
        for (std::size_t first = 0; first < group.columns.size(); first += fit) {
            const std::size_t last = std::min(first + fit, group.columns.size());
            text += title(group, report.header.simulated, terminal);
            text += heading(group, first, last);
            text += rows(report, group, first, last, violated, terminal);
            text += "\n";
        }
    }
    return text;
}

}  // namespace mpiaudit
