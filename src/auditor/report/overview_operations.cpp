// SPDX-License-Identifier: BSD-3-Clause
// The table of the first screen: overview_of_operations() and listed() are declared in
// report/console.h.
#include "report/console.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

#include "operations/operations.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::size_t widest_name = 24;   // characters: MPI_Reduce_scatter_block
constexpr std::size_t widest_sizes = 11;  // characters: 19.8..181Ki

/// A row of the overview as texts.
struct Line {
    std::string operation, times, lost, at, sizes, instead;
    std::string data;  ///< printed in brackets behind the advice
    std::string details;
    std::string form;  ///< OverviewRow::form
    bool is_setting = false;
    std::size_t alike = 0;  ///< number of other operations in the same form that the row stands for
};

/// Returns "512", "19.8Ki" or "1Mi".
std::string short_bytes(std::int64_t bytes) {
    std::string text = bytes_text(bytes);
    text.erase(std::ranges::find(text, ' '));
    text.pop_back();
    return text;
}

/// Returns "4.69..223Ki" or "128..2Ki".
std::string from_to(std::string low, const std::string& high) {
    if (low == high) return high;
    if (low.ends_with("i") && low.substr(low.size() - 2) == high.substr(high.size() - 2))
        low.resize(low.size() - 2);
    return low + ".." + high;
}

std::string sizes_of(const OverviewRow& row) {
    if (!row.low_bytes || !row.high_bytes) return "";
    const std::string low = short_bytes(*row.low_bytes), high = short_bytes(*row.high_bytes);
    if (row.is_lowest && !row.is_highest) return "<=" + high;
    if (row.is_highest && !row.is_lowest) return ">=" + low;
    return from_to(low, high);
}

/// Returns the text below a row in a file: the operation and its replacement in full, and the code
/// to paste.
std::string details_of(const OverviewRow& row, const Terminal& terminal) {
    const std::string place =
        row.bytes ? fmt::format(" at {} ({})", bytes_text(*row.bytes), row.problem) : "";
    std::string text;
    if (row.kind == AdviceKind::communicator)
        text = fmt::format("    a call takes {} us: keep the communicator that it has made",
                           microseconds(row.lost_s));
    else if (!row.factor)
        text = fmt::format("    slower than {} by this rule alone{}", row.contestant, place);
    else
        text = fmt::format("    {} is {} times as fast and saves {} us per call{}", row.contestant,
                           ratio_text(row.factor.value_or(1.0)), microseconds(row.lost_s), place);
    text = wrapped(text, terminal.columns, "      ");
    if (row.code.empty()) return text;
    return text + (row.kind == AdviceKind::setting
                       ? folded_command(row.code, terminal.columns, "      ")
                       : wrapped("      " + row.code, terminal.columns, "        "));
}

Line line_of(const OverviewRow& row, const Terminal& terminal) {
    return {.operation = row.operation,
            .times = row.factor ? ratio_text(*row.factor) : "-",
            .lost = row.lost_s > 0 ? microseconds(row.lost_s) : "-",
            .at = row.bytes ? short_bytes(*row.bytes) : "-",
            .sizes = row.bytes ? sizes_of(row) : "-",
            .instead = row.instead,
            .data = (row.data.empty() ? "" : fmt::format(" ({})", row.data)) +
                    (row.caveat.empty() ? "" : fmt::format(" ({})", row.caveat)),
            .details = details_of(row, terminal),
            .form = row.form,
            .is_setting = row.kind == AdviceKind::setting};
}

/// Widths of columns in characters, and whether names are short.
struct Columns {
    std::size_t name = std::string_view("Operation").size();
    std::size_t sizes = std::string_view("slow at").size();
    bool is_short = false;  ///< without MPI_
};

/// Returns "MPI_Ireduce +4" for MPI_Ireduce + MPI_Wait and four other operations in this form.
std::string label_of(const Line& line, bool is_short) {
    std::string label = line.operation;
    replace_all(label, " + MPI_Wait", "");
    if (is_short) replace_all(label, "MPI_", "");
    return line.alike > 0 ? fmt::format("{} +{}", label, line.alike) : label;
}

/// Returns "MPI_Ireduce 2.03 (5 such)", for rows that do not fit.
std::string name_of(Line line) {
    const std::string such = line.alike > 0 ? fmt::format(" ({} such)", line.alike + 1) : "";
    line.alike = 0;
    return fmt::format("{} {}{}", label_of(line, false), line.times, such);
}

/// Returns the name and the numbers, with the advice behind them or, if too long, below.
std::string text_of_line(const Line& line, const Columns& widths, const Terminal& terminal) {
    const std::string label = label_of(line, widths.is_short), name = "! " + label;
    const std::size_t gap = std::max(widths.name, label.size()) - label.size();
    std::string instead = line.instead;
    // The name of a variable such as OMPI_MCA_btl is no name of a function.
    if (widths.is_short && !line.is_setting) replace_all(instead, "MPI_", "");
    instead += line.data;
    const std::string first = fmt::format("{:{}} {:>5} {:>7} {:>7}  {:<{}}", "", gap, line.times,
                                          line.lost, line.at, line.sizes, widths.sizes);
    if (name.size() + first.size() + 2 + instead.size() <=
        static_cast<std::size_t>(terminal.columns))
        return emphasised(name, terminal) + first + "  " + instead + "\n";
    return emphasised(name, terminal) + first.substr(0, first.find_last_not_of(' ') + 1) + "\n" +
           wrapped("    " + instead, terminal.columns, "      ");
}

/// Returns the widths of the columns. Chooses short names if the table then needs fewer lines.
Columns columns_of(std::span<const Line> lines, const Terminal& terminal) {
    const auto widths = [&](bool is_short) {
        Columns columns{.is_short = is_short};
        for (const Line& line : lines) {
            columns.name =
                std::max(columns.name, std::min(label_of(line, is_short).size(), widest_name));
            columns.sizes = std::max(columns.sizes, std::min(line.sizes.size(), widest_sizes));
        }
        return columns;
    };
    const auto height = [&](const Columns& columns) {
        std::size_t all = 0;
        for (const Line& line : lines)
            all += number_of_lines(text_of_line(line, columns, terminal));
        return all;
    };
    return height(widths(true)) < height(widths(false)) ? widths(true) : widths(false);
}

/// Returns one row for all operations of a form: the row of the first, which loses most.
std::vector<Line> with_one_line_per_form(const std::vector<Line>& lines) {
    std::vector<Line> some;
    for (const Line& line : lines) {
        auto* const same = find_in(some, line.form, &Line::form);
        if (line.form.empty() || same == nullptr)
            some.push_back(line);
        else
            ++same->alike;
    }
    return some;
}

/// Returns the meaning of the columns.
std::string legend(std::span<const Line> lines, const Terminal& terminal) {
    const bool has_alike =
        std::ranges::any_of(lines, [](const Line& line) { return line.alike > 0; });
    return wrapped(fmt::format("  bytes: of a rank's vector or a block, as in OSU and IMB{}",
                               has_alike ? "; +1: one more such" : ""),
                   terminal.columns, "    ");
}

std::string head_of(const Columns& columns) {
    return fmt::format("  {:<{}} {:>5} {:>7} {:>7}  {:<{}}  instead{}\n", "Operation", columns.name,
                       "times", "us lost", "bytes", "slow at", columns.sizes,
                       columns.is_short ? " (MPI_...)" : "");
}

std::size_t height_of(std::span<const Line> lines, const Terminal& terminal) {
    if (lines.empty()) return 0;
    const Columns columns = columns_of(lines, terminal);
    std::size_t all = 1;
    for (const Line& line : lines) all += number_of_lines(text_of_line(line, columns, terminal));
    return all + number_of_lines(legend(lines, terminal));
}

/// Returns the table in at most `room` lines. If the rows do not fit, operations in the same form
/// share a row; if these do not fit, the last rows become names.
std::string fitted(std::vector<Line> lines, const Terminal& terminal, std::size_t room) {
    if (height_of(lines, terminal) > room) lines = with_one_line_per_form(lines);
    std::size_t shown = lines.size();
    const auto is_too_high = [&] {
        const std::size_t names = shown < lines.size() ? lines_for_names : 0;
        return height_of(std::span(lines).first(shown), terminal) + names > room;
    };
    while (shown > 1 && is_too_high()) --shown;
    const std::span<const Line> first = std::span(lines).first(shown);
    const Columns columns = columns_of(first, terminal);
    std::vector<std::string> texts;
    for (const Line& line : first) texts.push_back(text_of_line(line, columns, terminal));
    // Details follow each row in a file; a terminal has no room for them.
    for (std::size_t i = 0; i < texts.size() && terminal.rows == 0; ++i)
        texts[i] += lines[i].details;
    std::string text = head_of(columns) + fmt::format("{}", fmt::join(texts, ""));
    std::vector<std::string> more;
    for (const Line& line : std::span(lines).subspan(shown)) more.push_back(name_of(line));
    if (!more.empty()) text += listed("! slower, too: ", more, terminal);
    return text + legend(first, terminal);
}

}  // namespace

std::string listed(const std::string& head, const std::vector<std::string>& names,
                   const Terminal& terminal, std::size_t most) {
    std::string text;
    for (std::size_t shown = names.size(); shown > 0; --shown) {
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
        std::string line = head + fmt::format("{}", fmt::join(names.begin(), end, ", "));
        if (shown < names.size())
            line += fmt::format(" and {} more, on the page", names.size() - shown);
        text = wrapped(line, terminal.columns, "  ");
        if (number_of_lines(text) <= most) break;
    }
    return text;
}

std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   const std::function<std::size_t(std::size_t)>& room_beside) {
    if (const std::string ranks = ranks_without_cores(report.header); !ranks.empty()) {
        std::vector<std::string> names;
        for (const OverviewRow& row : report.overview) names.push_back(row.operation);
        room_beside(lines_for_names);
        return names.empty() ? "" : listed("! slower here: ", names, terminal);
    }
    std::vector<Line> lines;
    for (const OverviewRow& row : report.overview) lines.push_back(line_of(row, terminal));
    const std::size_t room = room_beside(height_of(lines, terminal));
    return lines.empty() ? "" : fitted(lines, terminal, room);
}

}  // namespace mpiaudit
