// SPDX-License-Identifier: BSD-3-Clause
// The answer as Markdown, a row of MPIAUDIT_FORMATS: declared in report/gate.h.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "report/console.h"
#include "report/findings.h"
#include "report/gate.h"
#include "report/overview_rows.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::size_t most_rows = 10, most_commands = 3;

/// The text with its characters that Markdown or HTML would interpret escaped, on one line.
std::string in_markdown(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("\\|*_~<`[]").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

std::string row_in_markdown(const OverviewRow& row) {
    const std::string data = row.data.empty() ? "" : fmt::format(" ({})", row.data);
    const std::string caveat = row.caveat.empty() ? "" : fmt::format(" ({})", row.caveat);
    return fmt::format("| {} | {} | {} | {} |\n", row.factor ? ratio_text(*row.factor) + "x" : "-",
                       in_markdown(row.operation), in_markdown(row.sentence),
                       in_markdown(row.instead + data + caveat));
}

/// The commands that measure the checks of the first rows again, in a block of code.
std::string commands(const Report& report) {
    std::string text;
    for (const OverviewRow& row : report.overview | std::views::take(most_commands))
        if (const JudgedCheck* const check = check_of(report, row);
            check != nullptr && !check->reproduce.empty())
            text += check->reproduce + "\n";
    replace_all(text, "```", "'''");
    return text.empty() ? ""
                        : fmt::format("To measure the first rows again:\n\n```sh\n{}```\n\n", text);
}

}  // namespace

/// The answer, a table of the first rows of the overview, their commands and the warnings.
std::string writers::markdown(const Report& report, const GateOutcome& outcome) {
    const auto paragraph = [](const std::string& words) {
        return words.empty() ? "" : in_markdown(words) + "\n\n";
    };
    std::string text = fmt::format("## {}{}\n\n**{}**\n\n", in_markdown(audited_system(report)),
                                   launches_of(report), in_markdown(headline(report)));
    text += paragraph(fmt::format("{}. {}", report.header.started, assurance_in_words(report)));
    if (!report.is_complete) text += paragraph(incomplete_in_words(report));
    text += paragraph(caveat_of_rule(report));
    if (outcome.beside_baseline) text += paragraph(in_words(*outcome.beside_baseline));
    for (const WrongOperation& each : wrong_operations(report))
        text += fmt::format("**Wrong result.** {}\n\n", in_markdown(each.sentence()));
    for (const Tail& each : report.tails)
        text += fmt::format("**Long calls.** {}\n\n", in_markdown(each.sentence));
    if (!report.overview.empty()) {
        text += "| Times | Operation | Slow | Instead |\n| --: | :-- | :-- | :-- |\n";
        for (const OverviewRow& row : report.overview | std::views::take(most_rows))
            text += row_in_markdown(row);
        text += "\n";
    }
    if (report.overview.size() > most_rows)
        text += fmt::format("and {} more\n\n",
                            counted(report.overview.size() - most_rows, "operation"));
    text += commands(report) + paragraph(remarks_in_words(report));
    for (const std::string& warning : report.header.warnings)
        text += fmt::format("> Warning: {}\n\n", in_markdown(warning));
    return text;
}

}  // namespace mpiaudit
