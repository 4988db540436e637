// SPDX-License-Identifier: BSD-3-Clause
#include "screens/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "answer/answer.h"
#include "repeat/commands.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "screens/codes.h"
#include "screens/fitting.h"
#include "screens/screen_rows.h"
#include "text/console.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

/// The number of sizes on a terminal; a file has all.
constexpr std::size_t most_problems = 12;
constexpr std::size_t widest_problem = 22;

/// An operation on one problem: the check with the largest ratio, and the check against the
/// replacement of the row.
struct AtProblem {
    const record::ProblemDescription* problem = nullptr;
    std::optional<std::int64_t> bytes;
    std::optional<ComparedTimes> largest, instead;
    bool is_violated = false, holds = false;
};

/// Returns the checks of the row's operation by problem, in ascending sizes.
std::vector<AtProblem> at_problems(const Report& report, const OverviewRow& row) {
    std::map<std::string, AtProblem> found;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind != CheckKind::verdict || !check.samples ||
            check.left.way().operations() != row.operation)
            continue;
        AtProblem& at = found[check.problem];
        at.problem = &find_problem(report, check.problem)->problem;
        at.bytes = bytes_of_rank(*at.problem, check.left.way());
        at.is_violated |= check.is_violation();
        at.holds |= check.verdict == Verdict::holds;
        for (const ComparedTimes& each : compared_times(report, check)) {
            if (!at.largest || each.ratio > at.largest->ratio) at.largest = each;
            if (each.instead == row.contestant && (!at.instead || each.ratio > at.instead->ratio))
                at.instead = each;
        }
    }
    std::vector<AtProblem> sorted;
    for (const auto& [id, at] : found)
        if (at.largest) sorted.push_back(at);
    std::ranges::stable_sort(sorted, {}, [](const AtProblem& at) {
        return std::pair(at.bytes.value_or(0), at.problem->id);
    });
    return sorted;
}

/// Returns at most `most` problems, in their order: the problems of the row, then those with a
/// violation, then others, each spread over the sizes.
std::vector<AtProblem> some_of(const std::vector<AtProblem>& all, const OverviewRow& row,
                               std::size_t most) {
    std::vector<bool> is_taken(all.size(), false);
    std::size_t taken = 0;
    const auto take = [&](const auto& is_wanted) {
        std::vector<std::size_t> wanted;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!is_taken[i] && is_wanted(all[i])) wanted.push_back(i);
        const std::size_t room = std::min(most - taken, wanted.size());
        for (std::size_t i = 0; i < room; ++i) is_taken[wanted[i * wanted.size() / room]] = true;
        taken += room;
    };
    take([&](const AtProblem& at) {
        return at.problem->id == row.problem || (row.worst && at.problem->id == row.worst->problem);
    });
    take([](const AtProblem& at) { return at.is_violated; });
    take([](const AtProblem&) { return true; });
    std::vector<AtProblem> some;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (is_taken[i]) some.push_back(all[i]);
    return some;
}

/// Returns a bar of a length that grows with the logarithm of the ratio: 8 characters are twice the
/// time.
std::string bar(double ratio, std::size_t most) {
    constexpr double of_twice = 8.0;
    if (!(ratio > 1.0)) return "";
    const auto length = static_cast<std::size_t>(std::lround(of_twice * std::log2(ratio)));
    return std::string(std::min(most, length), '#');
}

/// Returns the times over the sizes as a table with bars.
std::string curve(const Report& report, const OverviewRow& row, const Terminal& terminal) {
    const std::vector<AtProblem> all = at_problems(report, row);
    const std::vector<AtProblem> problems =
        some_of(all, row, terminal.rows > 0 ? most_problems : all.size());
    std::size_t name = 0;
    for (const AtProblem& at : problems) name = std::max(name, at.problem->id.size());
    name = std::min(name, widest_problem);
    std::string text =
        fmt::format("{:>9}  {:<{}} {:>8} {:>8} {:>8} {:>6}  (us per call)\n", "bytes", "problem",
                    name, "takes", "instead", "fastest", "times");
    for (const AtProblem& at : problems) {
        const std::string mark = at.is_violated ? "!" : at.holds ? " " : "?";
        std::string line = fmt::format(
            "{:>9} {}{:<{}} {:>8} {:>8} {:>8} {:>6}  ", at.bytes ? bytes_text(*at.bytes) : "-",
            mark, at.problem->id.substr(0, name), name, microseconds(at.largest->takes_s),
            at.instead ? microseconds(at.instead->instead_s) : "-",
            microseconds(at.largest->instead_s), ratio_text(at.largest->ratio));
        const auto columns = static_cast<std::size_t>(terminal.columns);
        const std::size_t room = columns > line.size() ? columns - line.size() : 0;
        line += bar(at.largest->ratio, room);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    if (problems.size() < all.size())
        text += fmt::format("and {} more, in a file (| cat)\n", all.size() - problems.size());
    return text + "! slower, with evidence   ? not decided   fastest: of all ways compared\n";
}

/// Returns under which conditions the times of the row were measured.
std::string conditions_of(const Report& report, const OverviewRow& row) {
    const record::ProblemDescription& problem = find_problem(report, row.problem)->problem;
    std::vector<std::string> parts = {"blocks: " + problem.distribution, problem.element};
    const JudgedCheck* const check = check_of(report, row);
    const MpiOperation* const operation =
        check == nullptr ? nullptr : check->left.way().terms.front().form.mpi_operation();
    if (operation != nullptr && operation->is_reduction()) parts.push_back(problem.op);
    if (operation != nullptr && operation->has_root())
        parts.push_back(fmt::format("root {}", problem.root));
    const std::string buffers = text_of(option_in(report.header.options, "buffers"));
    if (!buffers.empty()) parts.push_back("--buffers " + buffers);
    return fmt::format("Where most is lost: {}; {}", row.problem, fmt::join(parts, ", "));
}

/// Returns how many launches say so, with their ratios and the interval of the ratio.
std::string evidence_of(const OverviewRow& row, const JudgedCheck& check) {
    std::string text = "Sure: ";
    if (check.launches.empty()) {
        text += "one launch";
    } else {
        const auto accusing = std::ranges::count(
            check.launches, Verdict::violated,
            [](const JudgedLaunch& each) { return each.samples.judgement.verdict; });
        std::vector<std::string> ratios;
        for (const JudgedLaunch& each : check.launches)
            ratios.push_back(ratio_text(each.samples.judgement.factor));
        text += fmt::format("{} of {} launches that compared {} with {}: {}", accusing,
                            check.launches.size(), check.left, check.right, fmt::join(ratios, " "));
    }
    if (row.factor && row.factor_low && row.factor_high)
        text += fmt::format("; the ratio {} lies within {} to {}", ratio_text(*row.factor),
                            ratio_text(*row.factor_low), ratio_text(*row.factor_high));
    return text;
}

/// Returns the other ways where most is lost, the fastest first.
std::string ways_of(const OverviewRow& row) {
    std::vector<std::string> ways;
    for (const OverviewRow::Way& each : row.ways)
        ways.push_back(fmt::format("{} {}", each.contestant, microseconds(each.time_s)));
    return ways.empty() ? "" : fmt::format("All ways there (us): {}", fmt::join(ways, ", "));
}

/// Returns what to do instead, with the setting that another audit has found.
std::string remedies_of(const Report& report, const OverviewRow& row, const RowInWords& words,
                        const Terminal& terminal) {
    std::string instead = "Do instead: " + words.instead;
    if (!words.caveat.empty()) instead += " (" + words.caveat + ")";
    std::string text = wrapped(instead, terminal.columns, "  ");
    for (const FasterSetting& each : report.faster_settings)
        if (each.operation == row.operation)
            text += wrapped("Or set, " + note_of_setting(each), terminal.columns, "  ");
    if (words.code.empty() || row.kind == AdviceKind::setting) return text;
    text += "Code:\n";
    std::string code = words.code;
    replace_all(code, "\n", "\n  ");
    return text + "  " + code + "\n";
}

std::string commands_of(const Report& report, const OverviewRow& row, const JudgedCheck& check,
                        const Terminal& terminal, const Where& where) {
    const std::string code = code_of_row(report, row);
    std::vector<ScreenLine> lines = {
        {.text = "Measure again:", .command = reproduce_command(report, check)}};
    if (!where.folder.empty()) {
        const std::string folder = shell_word(where.folder);
        if (report.header.simulation == std::nullopt)
            lines.push_back(
                {.text = "In a new launch:",
                 .command = fmt::format("{} --confirm {} --row {}",
                                        start_of_command(report.header, "run"), folder, code)});
        if (!row.lacks_program)
            lines.push_back(
                {.text = "C program:",
                 .command = fmt::format("{} reproduce {} --row {} --output {}.c",
                                        shell_word(where.program), folder, code, code)});
    }
    std::string text;
    for (const ScreenLine& each : lines)
        if (!each.command.empty()) text += laid_out(each, terminal, 0);
    return text;
}

}  // namespace

std::string explanation(const Report& report, const OverviewRow& row, const Terminal& terminal,
                        const Where& where) {
    const auto line = [&](const std::string& said) {
        return said.empty() ? "" : wrapped(said, terminal.columns, "  ");
    };
    const auto place = static_cast<std::size_t>(&row - report.overview.data());
    const RowInWords words = rows_in_words(report).at(place);
    std::string text =
        line(fmt::format("{} {}: {}", code_of_row(report, row), row.operation, words.sentence)) +
        line(audited_system(report) + launches_of(report)) + curve(report, row, terminal) +
        line(conditions_of(report, row));
    const JudgedCheck* const check = check_of(report, row);
    if (check != nullptr) text += line(evidence_of(row, *check));
    text += line(ways_of(row)) + remedies_of(report, row, words, terminal);
    if (check != nullptr) text += commands_of(report, row, *check, terminal, where);
    return text;
}

}  // namespace mpiaudit
