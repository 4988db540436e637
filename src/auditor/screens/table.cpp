// SPDX-License-Identifier: BSD-3-Clause
#include "screens/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "text/console.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

constexpr std::size_t least_name = std::string_view("Operation").size();
constexpr std::size_t widest_name = 24, widest_sizes = 13;
/// A column of fewer characters has no room for advice, which then stands below its row.
constexpr std::size_t least_advice = std::string_view("do instead").size();
constexpr std::size_t lines_of_note = 3, lines_of_names = 2;
/// A table with more rows leaves no lines for the conditions of each.
constexpr std::size_t rows_with_conditions = 2;

/// Characters; those of numbers have a blank in front.
struct Widths {
    std::size_t code = 2, name = least_name, sizes = std::string_view("from..to").size();
    std::size_t takes = 7, instead = 8, lost = 6, times = 6;
    std::size_t advice = 0;

    std::size_t of_times() const { return takes + instead + lost; }
    std::size_t before_advice() const { return code + 1 + name + of_times() + times + 2 + sizes; }
};

/// Returns "Ireduce +4" for an operation and four others in the same form.
std::string name_of(const ScreenRow& row, std::size_t most) {
    const std::string such = row.alike > 0 ? fmt::format(" +{}", row.alike) : "";
    if (row.operation.size() + such.size() <= most) return row.operation + such;
    return row.operation.substr(0, most - such.size() - 2) + ".." + such;
}

Widths widths_of(std::span<const ScreenRow> rows, std::size_t columns) {
    Widths widths;
    std::size_t longest = least_name;
    for (const ScreenRow& row : rows) {
        widths.code = std::max(widths.code, row.code.size());
        widths.sizes = std::max(widths.sizes, std::min(row.sizes.size(), widest_sizes));
        widths.takes = std::max(widths.takes, row.takes.size() + 1);
        widths.instead = std::max(widths.instead, row.instead.size() + 1);
        widths.lost = std::max(widths.lost, row.lost.size() + 1);
        widths.times = std::max(widths.times, row.times.size() + 1);
        longest = std::max(longest, name_of(row, widest_name).size());
    }
    const std::size_t others = widths.before_advice() - widths.name;
    widths.name = std::clamp(columns - std::min(columns, others), least_name, longest);
    const std::size_t used = widths.before_advice() + 2;
    if (used + least_advice <= columns) widths.advice = columns - used;
    return widths;
}

/// Returns the columns before the advice.
std::string columns_before_advice(const Widths& widths, const std::string& code,
                                  const std::string& name, const ScreenRow& row) {
    return fmt::format("{:<{}} {:<{}}{:>{}}{:>{}}{:>{}}{:>{}}  {:<{}}", code, widths.code, name,
                       widths.name, row.takes, widths.takes, row.instead, widths.instead, row.lost,
                       widths.lost, row.times, widths.times, row.sizes, widths.sizes);
}

std::string head_of(const Widths& widths) {
    const std::size_t before = widths.code + 1 + widths.name;
    const std::string above =
        fmt::format("{:{}}{:>{}}{:>{}}  {}", "", before, "us where most is lost", widths.of_times(),
                    "worst", widths.times, "slow at bytes");
    ScreenRow head;
    head.takes = "takes";
    head.instead = "instead";
    head.lost = "lost";
    head.times = "times";
    head.sizes = "from..to";
    return above + "\n" + columns_before_advice(widths, "", "Operation", head) +
           (widths.advice > 0 ? "  do instead" : "") + "\n";
}

/// The notes below a table.
class Notes {
  public:
    /// Returns the mark of a note; operations with the same note share one.
    std::string mark_of(const std::string& note) {
        auto found = std::ranges::find(notes_, note);
        if (found == notes_.end()) found = notes_.insert(found, note);
        return fmt::format("[{}]", found - notes_.begin() + 1);
    }
    std::string text(const Terminal& terminal) const {
        std::string text;
        for (std::size_t i = 0; i < notes_.size(); ++i)
            text += wrapped(fmt::format("[{}] {}", i + 1, notes_[i]), terminal.columns, "    ",
                            terminal.at_most(lines_of_note));
        return text;
    }

  private:
    std::vector<std::string> notes_;
};

/// Returns the advice in at most `width` characters: whole words where one fits, "Exscan + ..".
std::string shortened_advice(const std::string& advice, std::size_t width) {
    constexpr std::string_view more = "..";
    if (advice.size() <= width) return advice;
    if (width < more.size()) return "";
    const std::size_t room = width - more.size();
    const std::size_t space = room > 0 ? advice.rfind(' ', room - 1) : std::string::npos;
    return advice.substr(0, space == std::string::npos ? room : space + 1) + std::string(more);
}

/// Returns the conditions of the advice behind the whole advice, if the row has no room for it, and
/// before the note of the row.
std::string whole_note(const ScreenRow& row, bool is_cut) {
    std::vector<std::string> parts;
    if (is_cut) parts.push_back(row.advice);
    if (!row.words.needs.empty()) parts.push_back("needs " + row.words.needs);
    if (!row.words.data.empty()) parts.push_back("measured with " + row.words.data);
    for (const std::string& part : {row.words.caveat, row.note})
        if (!part.empty()) parts.push_back(part);
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Returns the advice for a column of this width, with the mark of its note. Conditions are a star,
/// or part of the note if a table has room for them.
std::string advice_of(const ScreenRow& row, std::size_t width, bool has_room, Notes& notes) {
    std::string note = row.note;
    constexpr std::size_t width_of_mark = 4;
    if (has_room) note = whole_note(row, row.advice.size() + width_of_mark > width);
    std::string mark = row.has_conditions && !has_room ? " *" : "";
    if (!note.empty()) mark = " " + notes.mark_of(note) + mark;
    return shortened_advice(row.advice, width - std::min(width, mark.size())) + mark;
}

/// Returns "S4 Scan 1.60".
std::string named(const ScreenRow& row) {
    const std::string such = row.alike > 0 ? fmt::format(" (+{})", row.alike) : "";
    return fmt::format("{} {} {}{}", row.code, row.operation, row.times, such);
}

/// Returns as many names as fit into some lines, and the number of the others.
std::string listed(const std::string& head, const std::vector<std::string>& names,
                   const std::string& end, const Terminal& terminal) {
    std::string text;
    for (std::size_t shown = names.size(); shown > 0; --shown) {
        std::string line = head + fmt::format("{}", fmt::join(std::span(names).first(shown), ", "));
        if (shown < names.size()) line += fmt::format(" and {} more", names.size() - shown);
        text = wrapped(line + end, terminal.columns, "  ");
        if (number_of_lines(text) <= lines_of_names) break;
    }
    return text;
}

/// Returns "1.6" or "1.6 to 2.1" for the least and the largest of texts in ascending order.
std::string from_to(const std::string& low, const std::string& high) {
    return low == high ? low : low + " to " + high;
}

std::string text_of(const Cluster& cluster, const Terminal& terminal) {
    const auto [low, high] = std::ranges::minmax_element(
        cluster.rows, {}, [](const ScreenRow& row) { return row.of->worst->factor; });
    std::vector<std::string> names;
    for (const ScreenRow& each : cluster.rows) names.push_back(each.code + " " + each.operation);
    const std::string sizes =
        from_to(bytes_text(cluster.low_bytes), bytes_text(cluster.high_bytes));
    return listed(fmt::format("At {} only, {} times: ", sizes, from_to(low->times, high->times)),
                  names,
                  fmt::format(". Probably one cause: the library changes its protocol at {}",
                              bytes_text(cluster.low_bytes)),
                  terminal);
}

}  // namespace

std::string table_of(std::span<const ScreenRow> rows, const Terminal& terminal) {
    if (rows.empty()) return "";
    const auto columns = static_cast<std::size_t>(terminal.columns);
    const Widths widths = widths_of(rows, columns);
    const bool has_room = rows.size() <= rows_with_conditions;
    Notes notes;
    std::string text = head_of(widths);
    for (const ScreenRow& row : rows) {
        const std::string before =
            columns_before_advice(widths, row.code, name_of(row, widths.name), row);
        const std::size_t width = widths.advice > 0 ? widths.advice : columns - 4;
        const std::string advice =
            (widths.advice > 0 ? "  " : "\n    ") + advice_of(row, width, has_room, notes);
        const std::size_t begin = row.code.size();
        text +=
            emphasised(before.substr(0, begin), terminal) + before.substr(begin) + advice + "\n";
    }
    text += notes.text(terminal);
    std::vector<std::string> marks;
    if (!has_room && std::ranges::any_of(rows, &ScreenRow::has_conditions))
        marks.push_back("* under conditions: explain the row");
    if (std::ranges::any_of(rows, [](const ScreenRow& row) { return row.alike > 0; }))
        marks.push_back("+N: N more in this form (--all)");
    if (!marks.empty())
        text += wrapped(fmt::format("{}", fmt::join(marks, "; ")), terminal.columns, "  ");
    return text;
}

std::string without_rows(std::span<const ScreenRow> hidden, std::span<const Cluster> clusters,
                         bool are_more, const Terminal& terminal) {
    std::string text;
    std::vector<std::string> blocking, other;
    for (const ScreenRow& row : hidden)
        (row.of->is_other_form ? other : blocking).push_back(named(row));
    if (!blocking.empty())
        text += listed(are_more ? "Slow, too (times): " : "Slow (times): ", blocking, "", terminal);
    for (const Cluster& each : clusters) text += text_of(each, terminal);
    if (!other.empty()) text += listed("Other forms (times): ", other, "", terminal);
    return text;
}

}  // namespace mpiaudit
