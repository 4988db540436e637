// SPDX-License-Identifier: BSD-3-Clause
#include "screens/fitting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "screens/screen_rows.h"
#include "screens/table.h"
#include "screens/tables.h"
#include "screens/times.h"
#include "text/console.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// The lines of the smallest terminal. The last line belongs to the shell.
constexpr int least_rows = 24;

/// As many rows come before findings of another kind.
constexpr std::size_t first_rows = 4;

/// Lines of a file below the screen.
constexpr std::size_t most_further = 40, most_further_rows = 20;

/// Chooses what a screen has room for.
class Fitting {
  public:
    Fitting(const Screen& screen, const Terminal& terminal)
        : screen_{screen},
          terminal_{terminal},
          room_{static_cast<std::size_t>(std::max(terminal.rows, least_rows)) - 1},
          rows_{with_one_row_per_form(screen.rows)} {
        choose();
    }

    std::string text() const {
        std::string text = texts(screen_.head, [](const auto& line) { return line.rank == 0; });
        text += rows_of(shown_);
        for (const ScreenLine* line : shown_lines_) text += laid_out(*line, terminal_, line->most);
        return text + texts(screen_.foot, [](const auto&) { return true; });
    }

    /// Returns the rows and sentences that have found no room.
    std::string rest() const {
        std::vector<ScreenRow> rows(rows_.begin() + static_cast<std::ptrdiff_t>(shown_),
                                    rows_.end());
        for (const Cluster& each : screen_.clusters)
            rows.insert(rows.end(), each.rows.begin(), each.rows.end());
        rows.insert(rows.end(), screen_.small.begin(), screen_.small.end());
        std::string text;
        if (!rows.empty()) {
            const std::size_t shown = std::min(rows.size(), most_further_rows);
            text = "\nFurther rows, also barely slow ones (less than 1 us and 1.2 times)\n" +
                   table_of(std::span(rows).first(shown), terminal_);
            if (shown < rows.size())
                text += fmt::format("and {} more, with --all\n", rows.size() - shown);
        }
        std::size_t left_out = 0;
        for (const auto* lines : {&screen_.head, &screen_.below}) {
            for (const ScreenLine& line : *lines) {
                if (std::ranges::count(shown_lines_, &line) > 0 ||
                    (lines == &screen_.head && line.rank == 0))
                    continue;
                const std::string added = laid_out(line, terminal_, 0);
                if (number_of_lines(text + added) + 1 > most_further)
                    ++left_out;
                else
                    text += added;
            }
        }
        if (left_out > 0)
            text += fmt::format("and {}, with --all\n", counted(left_out, "more sentence"));
        return text;
    }

  private:
    void choose() {
        for (shown_ = rows_.size();; --shown_) {
            shown_lines_.clear();
            add_lines(shown_ > first_rows ? 1 : 0);
            if (height() <= room_ || shown_ == 0) break;
        }
        add_lines(last_on_screen);
    }

    /// Adds the sentences up to a rank, as long as there is room for them.
    void add_lines(int most_rank) {
        for (const ScreenLine& line : screen_.below) {
            if (line.rank > most_rank || std::ranges::count(shown_lines_, &line) > 0) continue;
            shown_lines_.push_back(&line);
            const bool may_go = line.rank > 0 && most_rank > 1;
            if (may_go && height() > room_) shown_lines_.pop_back();
        }
        std::ranges::stable_sort(shown_lines_, {}, &ScreenLine::rank);
    }

    std::size_t height() const { return number_of_lines(text()); }

    template <class Condition>
    std::string texts(const std::vector<ScreenLine>& lines, Condition is_shown) const {
        std::string text;
        for (const ScreenLine& line : lines)
            if (is_shown(line)) text += laid_out(line, terminal_, line.most);
        return text;
    }

    std::string rows_of(std::size_t shown) const {
        const std::span<const ScreenRow> all(rows_);
        return table_of(all.first(shown), terminal_) +
               without_rows(all.subspan(shown), screen_.clusters, shown > 0, terminal_);
    }

    const Screen& screen_;
    const Terminal& terminal_;
    std::size_t room_;
    std::vector<ScreenRow> rows_;
    std::size_t shown_ = 0;
    std::vector<const ScreenLine*> shown_lines_;
};

std::string coloured(const std::string& text, const Terminal& terminal,
                     ScreenLine::Emphasis emphasis) {
    return emphasised(
        text, terminal,
        emphasis == ScreenLine::Emphasis::remark ? CheckKind::remark : CheckKind::verdict);
}

}  // namespace

std::string laid_out(const ScreenLine& line, const Terminal& terminal, std::size_t most) {
    const std::string whole = line.text + " " + line.command;
    if (!line.command.empty() && line.text.ends_with(':') &&
        whole.size() <= static_cast<std::size_t>(terminal.columns))
        return whole + "\n";
    std::string text = wrapped(line.text, terminal.columns, "  ", most);
    if (line.emphasis != ScreenLine::Emphasis::none && !text.empty()) {
        text.pop_back();
        text = coloured(text, terminal, line.emphasis) + "\n";
    }
    if (!line.command.empty()) text += folded_command(line.command, terminal.columns, "  ");
    return text;
}

std::string with_all(const Screen& screen, const Terminal& terminal) {
    std::string text;
    for (const ScreenLine& line : screen.head) text += laid_out(line, terminal, 0);
    text += table_of(all_rows(screen), {terminal.colour, terminal.columns, 0});
    for (const auto* lines : {&screen.below, &screen.foot})
        for (const ScreenLine& line : *lines) text += laid_out(line, terminal, 0);
    return text;
}

std::string fitted(const Screen& screen, const Terminal& terminal) {
    const Fitting fitting(screen, terminal);
    return terminal.rows > 0 ? fitting.text() : fitting.text() + fitting.rest();
}

void show(const Report& report, const Terminal& terminal, const Where& where, bool has_all) {
    const Screen screen = first_screen(report, where);
    say("{}", has_all ? with_all(screen, terminal) : fitted(screen, terminal));
    if (!report.choices.empty()) say("\n{}", choices_table(report, terminal));
    if (const std::string times = times_of_the_operation(report, terminal); !times.empty())
        say("\n{}", times);
}

}  // namespace mpiaudit
