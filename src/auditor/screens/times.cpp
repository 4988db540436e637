// SPDX-License-Identifier: BSD-3-Clause
#include "screens/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "report/overview_rows.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// Returns true for one operation on the whole problem, as a user names it.
bool is_one_operation(const Way& way) {
    return way.terms.size() == 1 && way.scale.is_plain() && way.copy == 1;
}

std::optional<TimesRow> times_row(const ReportedProblem& problem,
                                  const ReportedContestant& contestant) {
    const Way& way = contestant.name.way();
    if (!contestant.statistics || !is_one_operation(way)) return std::nullopt;
    const judge::Summary& times = *contestant.statistics;
    return TimesRow{.distribution = problem.problem.distribution,
                    .implementation = way.operations(),
                    .problem = problem.problem.id,
                    .bytes = bytes_of_rank(problem.problem, way),
                    .samples = times.samples,
                    .median_s = times.median,
                    .minimum_s = times.raw_minimum,
                    .p90_s = times.p90,
                    .p99_s = times.p99,
                    .maximum_s = times.maximum,
                    .long_share = times.long_share,
                    .ranks = contestant.ranks};
}

/// A left side of a check: problem and name.
using LeftSide = std::pair<std::string_view, std::string_view>;

std::set<LeftSide> left_sides(const Report& report) {
    std::set<LeftSide> sides;
    for (const JudgedCheck& check : report.checks)
        if (check.kind == CheckKind::verdict) sides.insert({check.problem, check.left});
    return sides;
}

/// Returns the operation that all checks of the report are about; empty if there are several.
std::string the_only_operation(const Report& report) {
    std::string only;
    for (const JudgedCheck& check : report.checks) {
        const std::string& operation = check.left.way().terms.front().form.operation;
        if (only.empty()) only = operation;
        if (only != operation) return "";
    }
    return only;
}

}  // namespace

std::vector<TimesRow> times_of(const Report& report) {
    const std::set<LeftSide> lefts = left_sides(report);
    std::vector<TimesRow> rows;
    for (const ReportedProblem& problem : report.problems) {
        std::set<std::string_view> known;
        for (const ReportedContestant& each : problem.contestants) {
            const bool is_wanted =
                report.checks.empty() || lefts.contains({problem.problem.id, each.name});
            // A name may stand between several layouts; the most natural ones come first.
            if (!is_wanted || !known.insert(each.name).second) continue;
            if (auto row = times_row(problem, each)) rows.push_back(std::move(*row));
        }
    }
    return rows;
}

std::string times_in_words(const std::vector<TimesRow>& rows) {
    if (rows.empty()) return "";
    const TimesRow& first = rows.front();
    std::string text = first.distribution;
    if (first.bytes) text += ", " + bytes_text(*first.bytes);
    for (const TimesRow& row : rows)
        text += fmt::format("{} {} {} us", &row == &first ? ":" : ",", row.implementation,
                            microseconds(row.median_s));
    return text;
}

std::string not_timed_in_words(const Report& report) {
    if (!report.checks.empty()) return "";
    std::size_t number = 0;
    std::string first;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (problem.problem.verification || !each.skipped || number++ > 0) continue;
            first = fmt::format("{} on {}: {}", each.name.way().operations(), problem.problem.id,
                                in_words(*each.skipped));
        }
    }
    if (number == 0) return "";
    return fmt::format("not timed: {}{}", first,
                       number > 1 ? fmt::format(" (and {} more)", number - 1) : "");
}

std::string times_of_the_operation(const Report& report, const Terminal& terminal) {
    const std::string operation = the_only_operation(report);
    if (operation.empty()) return "";
    std::vector<TimesRow> rows = times_of(report);
    std::erase_if(rows, [&](const TimesRow& row) { return row.implementation != operation; });
    if (rows.empty()) return "";
    constexpr std::size_t most = 16;
    const std::size_t left_out = terminal.rows > 0 && rows.size() > most ? rows.size() - most : 0;
    rows.resize(rows.size() - left_out);
    std::string text = printers_of_times::table(report, rows);
    if (left_out > 0)
        text += fmt::format("# and {} more lines: mpiaudit judge FOLDER --table\n", left_out);
    return text;
}

}  // namespace mpiaudit
