// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ranges>

#include "report/console.h"
#include "report/console_text.h"

namespace mpiaudit {
namespace {

constexpr int name_width = 11;  // alternating
constexpr int block_width = 5;
constexpr int amount_width = 7;  // of m and m', and of m in bytes
constexpr int time_width = 5;
// A space, then average and minimum, each with room for a mark behind it: three columns fit 80.
constexpr int column_width = 1 + 2 * (time_width + 1);

/// Measured contestants between the same two layouts, in the order of their first appearance.
struct Group {
    std::string from, to;
    std::vector<std::string> columns;
};

std::vector<Group> groups_of(const Report& report) {
    std::vector<Group> groups;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& contestant : problem.contestants) {
            if (!contestant.statistics && !contestant.wrong) continue;
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

/// Left sides of violated guidelines; a verdict outweighs a remark.
using Marks = std::map<std::pair<std::string, std::string>, CheckKind>;  // of problem, contestant

Marks marks_of(const Report& report) {
    Marks marks;
    for (const JudgedCheck& check : report.checks) {
        if (check.verdict != judge::Verdict::violated) continue;
        const auto [mark, is_new] = marks.emplace(std::pair(check.problem, check.left), check.kind);
        if (!is_new && check.kind == CheckKind::verdict) mark->second = check.kind;
    }
    return marks;
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

std::string cell(const ReportedContestant* contestant, std::optional<CheckKind> mark,
                 const Terminal& terminal) {
    std::string text;
    if (contestant == nullptr || !contestant->statistics) {
        const char* sign = contestant != nullptr && contestant->wrong ? "wrong" : "-";
        return fmt::format(" {:>{}} {:>{}} ", sign, time_width, sign, time_width);
    }
    text = " ";
    for (const double time_s :
         {contestant->statistics->mean, contestant->statistics->raw_minimum}) {
        const std::string number = fmt::format("{:>{}}", microseconds(time_s), time_width);
        if (mark)
            text += emphasised(number + (*mark == CheckKind::verdict ? '!' : '~'), terminal, *mark);
        else
            text += number + ' ';
    }
    return text;
}

/// The collective between the layouts of a group: that of an operation which does all of it.
std::string collective_of(const Report& report, const Group& group) {
    for (const record::Implementation& each : report.header.implementations) {
        if (each.native && each.from == group.from && each.to == group.to) return each.collective;
    }
    return "";
}

std::string title(const Report& report, const Group& group, const Terminal& terminal) {
    const std::string collective = collective_of(report, group);
    return wrapped(
        fmt::format(
            "{}{} -> {}, microseconds{}{}; ! left side of a violated guideline, ~ of a remark",
            collective.empty() ? "" : collective + ": ", group.from, group.to,
            report.header.simulated ? ", simulated" : "", nodes_in_words(report.header.machine)),
        terminal.columns, "  ");
}

/// A line in front of the columns.
std::string front(const std::string& name, const std::string& block, const std::string& total,
                  const std::string& padded, const std::string& bytes) {
    return fmt::format("{:<{}} {:>{}} {:>{}} {:>{}} {:>{}}", name, name_width, block, block_width,
                       total, amount_width, padded, amount_width, bytes, amount_width);
}

std::string heading(const Group& group, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t column = first; column < last; ++column)
        text += fmt::format("  {}: {}\n", letter(column), group.columns[column]);
    text += front("", "", "", "", "");
    for (std::size_t column = first; column < last; ++column)
        text += fmt::format(" {:>{}}", letter(column) + "     ", column_width - 1);
    text += "\n" + front("Problem", "b", "m", "m'", "bytes");
    for (std::size_t column = first; column < last; ++column)
        text += fmt::format(" {:>{}} {:>{}} ", "avg", time_width, "min", time_width);
    return text + "\n";
}

std::string rows(const Report& report, const Group& group, std::size_t first, std::size_t last,
                 const Marks& marks, const Terminal& terminal) {
    std::string text, previous;
    for (const ReportedProblem& problem : report.problems) {
        const auto is_measured = [&](std::size_t column) {
            const auto* each = find_contestant(problem, group.columns[column], group);
            return each != nullptr && (each->statistics || each->wrong);
        };
        if (std::ranges::none_of(std::views::iota(first, last), is_measured)) continue;
        const std::string& distribution = problem.problem.distribution;
        const std::string shown = distribution == previous ? "" : distribution;
        previous = distribution;
        if (shown.size() > name_width) text += shown + "\n";
        std::string bytes = bytes_text(problem.problem.total * problem.problem.element_bytes);
        std::erase(bytes, ' ');
        text +=
            front(shown.size() > name_width ? "" : shown, block_amount(problem.problem.block_size),
                  amount(problem.problem.total), amount(problem.problem.padded_total), bytes);
        for (std::size_t column = first; column < last; ++column) {
            const std::string& name = group.columns[column];
            const auto mark = marks.find({problem.problem.id, name});
            text +=
                cell(find_contestant(problem, name, group),
                     mark == marks.end() ? std::nullopt : std::optional(mark->second), terminal);
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

std::string block_amount(std::int64_t elements) {
    constexpr std::pair<std::int64_t, const char*> units[] = {
        {1'000'000'000, "G"}, {1 << 30, "Gi"}, {1'000'000, "M"},
        {1 << 20, "Mi"},      {1'000, "k"},    {1 << 10, "Ki"}};
    for (const auto& [factor, suffix] : units) {
        if (elements >= factor && elements % factor == 0)
            return std::to_string(elements / factor) + suffix;
    }
    if (elements < 100'000) return std::to_string(elements);
    return elements < 999'500'000 ? fmt::format("{:.3g}M", static_cast<double>(elements) / 1e6)
                                  : fmt::format("{:.3g}G", static_cast<double>(elements) / 1e9);
}

std::string tables(const Report& report, const Terminal& terminal) {
    const Marks marks = marks_of(report);
    std::string text;
    const int fixed = name_width + block_width + 1 + 3 * (amount_width + 1);
    const auto fit =
        static_cast<std::size_t>(std::max(1, (terminal.columns - fixed) / column_width));
    for (const Group& group : groups_of(report)) {
        for (std::size_t first = 0; first < group.columns.size(); first += fit) {
            const std::size_t last = std::min(first + fit, group.columns.size());
            const std::string measured = rows(report, group, first, last, marks, terminal);
            if (measured.empty()) continue;
            text += title(report, group, terminal) + heading(group, first, last) + measured + "\n";
        }
    }
    return text;
}

}  // namespace mpiaudit
