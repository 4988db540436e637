// SPDX-License-Identifier: BSD-3-Clause
// The first screen as Markdown, a row of MPIAUDIT_FORMATS: declared in screens/formats.h.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>

#include "answer/answer.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "screens/formats.h"
#include "screens/screen.h"
#include "screens/screen_rows.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

constexpr std::size_t most_rows = 20, most_commands = 3;

/// The text with its characters that Markdown or HTML would interpret escaped, on one line.
std::string in_markdown(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("\\|*_~<`[]").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

std::string paragraph(const std::string& words) {
    return words.empty() ? "" : in_markdown(words) + "\n\n";
}

/// Returns commands as a block of code.
std::string block_of(std::string commands) {
    replace_all(commands, "```", "'''");
    return commands.empty() ? "" : fmt::format("```sh\n{}```\n\n", commands);
}

std::string paragraphs(const std::vector<ScreenLine>& lines) {
    std::string text;
    for (const ScreenLine& line : lines) {
        if (line.rank > last_on_screen) continue;
        const bool is_strong = line.emphasis == ScreenLine::Emphasis::violation;
        text +=
            is_strong ? fmt::format("**{}**\n\n", in_markdown(line.text)) : paragraph(line.text);
        if (!line.command.empty()) text += block_of(line.command + "\n");
    }
    return text;
}

/// Returns the row with its advice in full.
std::string row_in_markdown(const ScreenRow& row) {
    std::string instead = row.words.instead;
    for (const std::string* each : {&row.words.data, &row.words.caveat})
        if (!each->empty()) instead += fmt::format(" ({})", *each);
    if (!row.note.empty() && row.of->kind != AdviceKind::setting)
        instead += "; or set, " + row.note;
    const std::string name =
        row.alike > 0 ? fmt::format("{} +{}", row.operation, row.alike) : row.operation;
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", row.code, in_markdown(name),
                       row.takes, row.instead, row.lost, row.times, row.sizes,
                       in_markdown(instead));
}

std::string table_of(std::span<const ScreenRow> rows) {
    if (rows.empty()) return "";
    std::string text =
        "| | Operation | takes, us | instead | lost | worst times | slow at | do instead |\n"
        "| :-- | :-- | --: | --: | --: | --: | :-- | :-- |\n";
    for (const ScreenRow& row : rows | std::views::take(most_rows)) text += row_in_markdown(row);
    if (rows.size() > most_rows)
        text += fmt::format("\nand {} more\n", counted(rows.size() - most_rows, "operation"));
    return text + "\n";
}

/// The commands that measure the checks of the first rows again.
std::string commands(const Report& report) {
    std::string text;
    for (const OverviewRow& row : report.overview | std::views::take(most_commands))
        if (const JudgedCheck* const check = check_of(report, row); check != nullptr)
            text += reproduce_command(report, *check) + "\n";
    return text.empty() ? "" : "To measure the first rows again:\n\n" + block_of(text);
}

}  // namespace

/// The answer, the rows, the commands of the first rows and the warnings.
std::string writers::markdown(const Report& report, const GateOutcome& outcome) {
    const Screen screen = first_screen(report, {});
    std::string text = fmt::format("## {}\n\n", in_markdown(screen.head.front().text));
    text += paragraphs({screen.head.begin() + 1, screen.head.end()});
    if (outcome.beside_baseline) text += paragraph(in_words(*outcome.beside_baseline));
    std::vector<ScreenRow> rows = with_one_row_per_form(screen.rows);
    for (const Cluster& each : screen.clusters)
        rows.insert(rows.end(), each.rows.begin(), each.rows.end());
    text += table_of(rows) + paragraphs(screen.below) + paragraphs(screen.foot) +
            paragraph(assurance_in_words(report)) + commands(report) +
            paragraph(remarks_in_words(report));
    return text;
}

}  // namespace mpiaudit
