// SPDX-License-Identifier: BSD-3-Clause
// The table of times in columns, a row of MPIAUDIT_TABLES: declared in report/times.h.
#include "screens/times.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/answer.h"
#include "report/findings.h"
#include "text/console.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

constexpr int columns_of_table = 80;
/// The longest name of a distribution that leaves room for the other columns.
constexpr std::size_t longest_name = 15;

std::string share_text(double share) {
    const double percent = 100 * share;
    if (percent == 0) return "0%";
    return fmt::format("{:.{}f}%", percent, percent < 9.95 ? 1 : 0);
}

struct TimesWidths {
    std::size_t name, bytes;
};

TimesWidths widths_of(const std::vector<TimesRow>& rows) {
    TimesWidths widths{8, 5};
    for (const TimesRow& row : rows) {
        widths.name = std::max(widths.name, std::min(row.distribution.size(), longest_name));
        widths.bytes = std::max(widths.bytes, std::to_string(row.bytes.value_or(0)).size());
    }
    return widths;
}

std::string name_of(const TimesRow& row) {
    const std::string& name = row.distribution;
    return name.size() > longest_name ? shortened(name, longest_name) : name;
}

std::string line_of(const TimesRow& row, const TimesWidths& widths) {
    std::string line = fmt::format(
        "{:<{}} {:>{}} {:>6} {:>5} {:>5} {:>5} {:>5} {:>4}", name_of(row), widths.name,
        row.bytes ? std::to_string(*row.bytes) : "-", widths.bytes, microseconds(row.median_s),
        microseconds(row.minimum_s), microseconds(row.p90_s), microseconds(row.p99_s),
        microseconds(row.maximum_s), share_text(row.long_share));
    if (row.ranks)
        line +=
            fmt::format(" {:>5} {:>3} {:>5} {:>3}", microseconds(row.ranks->fastest_s),
                        row.ranks->fastest, microseconds(row.ranks->slowest_s), row.ranks->slowest);
    return line + '\n';
}

/// Returns the lines that say what the columns mean. Times of a problem have one element and root.
std::string head_of_table(const Report& report, const std::vector<TimesRow>& rows) {
    const ReportedProblem* const problem = find_problem(report, rows.front().problem);
    const std::string data =
        problem == nullptr
            ? ""
            : fmt::format(", {}, root {}", problem->problem.element, problem->problem.root);
    return wrapped(fmt::format("# {}{}", audited_system(report), data), columns_of_table, "# ") +
           wrapped(
               "# Times are microseconds of the slowest rank. >10x: share of the time in calls "
               "longer than ten medians. fast, slow: medians of the fastest and of the slowest "
               "rank, and which rank.",
               columns_of_table, "# ");
}

}  // namespace

std::string printers_of_times::table(const Report& report, const std::vector<TimesRow>& rows) {
    if (rows.empty()) return "# nothing was timed\n";
    std::vector<std::string> implementations;
    for (const TimesRow& row : rows)
        if (std::ranges::find(implementations, row.implementation) == implementations.end())
            implementations.push_back(row.implementation);
    const TimesWidths widths = widths_of(rows);
    std::string text = head_of_table(report, rows);
    for (const std::string& implementation : implementations) {
        text += fmt::format(
            "# {}\n{:<{}} {:>{}} {:>6} {:>5} {:>5} {:>5} {:>5} {:>4} {:>5} {:>3} "
            "{:>5} {:>3}\n",
            implementation, "# blocks", widths.name, "bytes", widths.bytes, "median", "min", "p90",
            "p99", "max", ">10x", "fast", "of", "slow", "of");
        for (const TimesRow& row : rows)
            if (row.implementation == implementation) text += line_of(row, widths);
    }
    return text;
}

}  // namespace mpiaudit
