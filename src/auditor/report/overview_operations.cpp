// SPDX-License-Identifier: BSD-3-Clause
#include "report/console.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "operations/operations.h"
#include "report/findings.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::size_t widest_name = 24;   // MPI_Reduce_scatter_block
constexpr std::size_t widest_sizes = 17;  // 4.69 KiB..1 MiB +1

/// What to do, in the order in which a reader can: to set, to call, to wish for.
enum class WayKind { setting, calls, parts, algorithm };

struct Way {
    WayKind kind;
    std::string name;  ///< as in the legend
};

/// What is violated, as a row of the screen and, where there is room, with the code.
struct Row {
    std::string operation, times, sizes, what;
    std::vector<WayKind> kinds;
    std::string details;
    std::string form;       ///< other than the blocking operation, if it is
    std::size_t alike = 0;  ///< how many other operations the row stands for, in the same form
};

/// linear of linear_Scatterv, where that is about the operation itself.
std::string algorithm_in_short(const std::string& way, const std::string& operation) {
    const std::string suffix = "_" + operation.substr(operation.find('_') + 1);
    return way.ends_with(suffix) ? way.substr(0, way.size() - suffix.size()) : way;
}

/// MPI_Allgather + MPI_Reduce_local of MPI_Allreduce[by MPI_Allgather].
std::string calls_in_short(const std::string& way) {
    constexpr std::string_view by = "[by ";
    const std::size_t at = way.find(by);
    if (at == std::string::npos || !way.ends_with(']')) return way;
    const MpiOperation* const operation = find_mpi_operation(way.substr(0, at));
    const std::string inner = way.substr(at + by.size(), way.size() - at - by.size() - 1);
    if (operation == nullptr || operation->is_among_neighbours()) return way;
    const bool reduces_afterwards = operation->is_reduction() && inner.starts_with("MPI_All");
    return inner + (reduces_afterwards ? " + MPI_Reduce_local" : "");
}

Way way_in_short(const Report& report, const JudgedCheck& check, std::string way,
                 const std::string& operation) {
    const Scale scale = record::scale_of(way);
    if (scale.repeats > 1 && way == fmt::format("{0} {1}(m/{0})", scale.repeats, operation))
        return {WayKind::parts, fmt::format("{} smaller calls", scale.repeats)};
    const auto& contestants = find_problem(report, check.problem)->contestants;
    const auto* const found = find_in(contestants, way, &ReportedContestant::name);
    replace_all(way, "(m)", "");
    if (makes_communicator(operation)) return {WayKind::calls, "keep the communicator"};
    if (way.find("[computing and testing]") != std::string::npos)
        return {WayKind::calls, "MPI_Test meanwhile"};
    if (found == nullptr) return {WayKind::calls, way};
    if (found->forced) return {WayKind::setting, "set " + way};
    // Not zero fill, nor a view.
    const auto is_ours = [](const record::Step& step) {
        return !step.arrow.starts_with("MPI_") && step.arrow.find('_') != std::string::npos;
    };
    if (std::ranges::none_of(found->steps, is_ours)) return {WayKind::calls, calls_in_short(way)};
    return {WayKind::algorithm, "ask for " + algorithm_in_short(way, operation)};
}

/// What to do about a check: what a reader can do best of all that was faster on its problem, and
/// the fastest of all where that is of another kind.
std::vector<Way> ways_of(const Report& report, const JudgedCheck& worst,
                         const std::string& operation) {
    std::vector<std::pair<double, Way>> ways;
    for (const JudgedCheck& each : report.checks) {
        if (!each.is_violation() || each.problem != worst.problem || each.left != worst.left)
            continue;
        ways.emplace_back(factor(each), way_in_short(report, each, each.right, operation));
    }
    if (worst.remedy)
        ways.emplace_back(std::numeric_limits<double>::infinity(),
                          way_in_short(report, worst, worst.remedy->contestant, operation));
    const Way fastest = ways.back().second;
    std::ranges::stable_sort(ways, [](const auto& a, const auto& b) {
        return a.second.kind != b.second.kind ? a.second.kind < b.second.kind : a.first > b.first;
    });
    const Way& first = ways.front().second;
    if (!worst.remedy || first.kind == fastest.kind) return {first};
    return {first, fastest};
}

std::string details_of(const Report& report, const JudgedCheck& check, const Terminal& terminal) {
    if (!check.remedy)
        return wrapped(
            fmt::format("    slower than {}; which way is the fastest is not clear", check.right),
            terminal.columns, "      ");
    const std::string text =
        wrapped(fmt::format("    {} is {} times as fast and saves {} us per call on {}",
                            check.remedy->contestant, ratio_text(check.remedy->factor),
                            microseconds(check.remedy->saved_s), place_of(report, check.problem)),
                terminal.columns, "      ");
    const std::string& code = check.remedy->code;
    if (code.empty()) return text;
    const bool is_environment = code.find('(') == std::string::npos;
    return text + (is_environment ? folded_command(code, terminal.columns, "      ")
                                  : wrapped("      " + code, terminal.columns, "        "));
}

Row row_of(const Report& report, const OperationSummary& each, const Terminal& terminal) {
    Row row{.operation = each.operation,
            .times = ratio_text(severity(*each.worst)),
            .sizes = sizes_in_words(report, each.operation),
            .what = {},
            .kinds = {},
            .details = details_of(report, *each.worst, terminal),
            .form = form_of(each.operation)};
    if (row.sizes.empty()) row.sizes = each.worst->problem;
    for (const Way& way : ways_of(report, *each.worst, each.operation)) {
        row.what += (row.kinds.empty() ? "" : ", or ") + way.name;
        row.kinds.push_back(way.kind);
    }
    return row;
}

/// Widths of columns, and how rows name operations.
struct Columns {
    std::size_t name = std::string_view("Operation").size(), sizes = 5;
    bool is_short = false;  ///< without MPI_
};

/// MPI_Ireduce +4 of MPI_Ireduce + MPI_Wait and four others in this form.
std::string label_of(const Row& row) {
    std::string label = row.operation;
    replace_all(label, " + MPI_Wait", "");
    return row.alike > 0 ? fmt::format("{} +{}", label, row.alike) : label;
}

/// MPI_Ireduce 2.03 (5 such), where there is no room for a row.
std::string name_of(Row row) {
    const std::string such = row.alike > 0 ? fmt::format(" ({} such)", row.alike + 1) : "";
    row.alike = 0;
    return fmt::format("{} {}{}", label_of(row), row.times, such);
}

/// The name, the numbers, and what to do behind them or below.
std::string lines_of_row(const Row& row, const Columns& widths, const Terminal& terminal) {
    const std::string label = label_of(row), name = "! " + label;
    const std::size_t gap = std::max(widths.name, label.size()) - label.size();
    std::string what = row.what;
    if (widths.is_short) replace_all(what, "MPI_", "");
    const std::string first =
        fmt::format("{:{}} {:>5}  {:<{}}", "", gap, row.times, row.sizes, widths.sizes);
    if (name.size() + first.size() + 2 + what.size() <= static_cast<std::size_t>(terminal.columns))
        return emphasised(name, terminal) + first + "  " + what + "\n";
    return emphasised(name, terminal) + first.substr(0, first.find_last_not_of(' ') + 1) + "\n" +
           wrapped("    " + what, terminal.columns, "      ");
}

Columns columns_of(const std::vector<Row>& rows, const Terminal& terminal) {
    Columns columns;
    for (const Row& row : rows) {
        columns.name = std::max(columns.name, std::min(label_of(row).size(), widest_name));
        columns.sizes = std::max(columns.sizes, std::min(row.sizes.size(), widest_sizes));
    }
    Columns short_columns = columns;
    short_columns.is_short = true;
    const auto lines = [&](const Row& row, const Columns& widths) {
        return number_of_lines(lines_of_row(row, widths, terminal));
    };
    columns.is_short = std::ranges::any_of(
        rows, [&](const Row& row) { return lines(row, columns) > lines(row, short_columns); });
    return columns;
}

/// One row for all operations of a form: that of the worst.
std::vector<Row> with_one_row_per_form(const std::vector<Row>& rows) {
    std::vector<Row> some;
    for (const Row& row : rows) {
        auto* const same = find_in(some, row.form, &Row::form);
        if (row.form.empty() || same == nullptr)
            some.push_back(row);
        else
            ++same->alike;
    }
    return some;
}

/// What the words of the rows mean, what is hardest to guess first.
std::vector<std::string> legend(const std::vector<Row>& rows, const Terminal& terminal) {
    const auto has = [&](WayKind kind) {
        return std::ranges::any_of(rows, [&](const Row& row) { return is_among(row.kinds, kind); });
    };
    const bool has_more = std::ranges::any_of(
        rows, [](const Row& row) { return row.sizes.find('+') != std::string::npos; });
    const bool has_alike = std::ranges::any_of(rows, [](const Row& row) { return row.alike > 0; });
    std::vector<std::string> texts;
    if (has(WayKind::algorithm))
        texts.push_back("  ask for: an algorithm that the library's makers may add");
    if (has(WayKind::parts))
        texts.push_back(
            "  smaller calls: the library copies through a buffer, or sends one by one");
    texts.push_back(fmt::format("  bytes: of all blocks together{}{}",
                                has_more ? "; +1: one more range" : "",
                                has_alike ? "; name +1: one more in this form" : ""));
    for (std::string& text : texts) text = wrapped(text, terminal.columns, "    ");
    return texts;
}

/// A row for each operation as far as there is room, then the legend, then the details of the
/// first ones. Where they do not fit, operations in the same form share a row, and then the last
/// rows become names.
std::string fitted(std::vector<Row> rows, const Terminal& terminal, std::size_t room) {
    std::vector<std::string> texts;
    std::size_t lines = 0;
    Columns columns;
    const auto lay_out = [&] {
        columns = columns_of(rows, terminal);
        texts.clear();
        lines = 0;
        for (const Row& row : rows) {
            texts.push_back(lines_of_row(row, columns, terminal));
            lines += number_of_lines(texts.back());
        }
    };
    lay_out();
    if (lines > room) {
        rows = with_one_row_per_form(rows);
        lay_out();
    }
    std::vector<std::string> more;
    for (; lines > room && texts.size() > 1; texts.pop_back()) {
        // The lines that name them.
        if (more.empty()) room -= std::min(room, lines_for_names);
        const Row& row = rows[texts.size() - 1];
        more.insert(more.begin(), name_of(row));
        lines -= number_of_lines(texts.back());
    }
    std::string below;
    for (const std::string& each : legend(rows, terminal)) {
        if (lines + number_of_lines(each) > room) break;
        below += each;
        lines += number_of_lines(each);
    }
    for (std::size_t i = 0; i < texts.size() && more.empty(); ++i) {
        lines += number_of_lines(rows[i].details);
        if (lines > room) break;
        texts[i] += rows[i].details;
    }
    std::string text =
        fmt::format("  {:<{}} {:>5}  {:<{}}  instead{}\n", "Operation", columns.name, "times",
                    "bytes", columns.sizes, columns.is_short ? " (without MPI_)" : "");
    text += fmt::format("{}", fmt::join(texts, ""));
    if (!more.empty()) text += listed("! slower, too: ", more, terminal);
    return text + below;
}

std::string without_violation(const std::vector<OperationSummary>& operations,
                              const Terminal& terminal, std::size_t most) {
    std::string text;
    for (const bool is_decided : {true, false}) {
        std::vector<std::string> names;
        std::size_t forms = 0;
        for (const OperationSummary& each : operations) {
            if ((each.counts.decided() > 0) != is_decided) continue;
            if (terminal.rows == 0 || form_of(each.operation).empty())
                names.push_back(each.operation);
            else
                ++forms;
        }
        const char* head = is_decided ? "Nothing measured was faster than " : "No answer about ";
        if (!names.empty() || forms > 0) text += listed(head, names, terminal, most, forms);
    }
    return text;
}

std::size_t lines_of(const std::vector<Row>& rows, const Terminal& terminal) {
    if (rows.empty()) return 0;
    const Columns columns = columns_of(rows, terminal);
    std::size_t lines = 1;
    for (const Row& row : rows) lines += number_of_lines(lines_of_row(row, columns, terminal));
    return lines + legend(rows, terminal).size();
}

}  // namespace

std::string listed(const std::string& head, const std::vector<std::string>& names,
                   const Terminal& terminal, std::size_t most, std::size_t forms) {
    if (names.empty())
        return wrapped(head + counted(forms, "form") + " other than the blocking ones, on the page",
                       terminal.columns, "  ");
    std::string text;
    for (std::size_t shown = names.size(); shown > 0; --shown) {
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(shown);
        std::string line = head + fmt::format("{}", fmt::join(names.begin(), end, ", "));
        if (shown < names.size())
            line += fmt::format(" and {} more, on the page", names.size() - shown + forms);
        else if (forms > 0)
            line += fmt::format(" and {}, on the page", counted(forms, "other form"));
        text = wrapped(line, terminal.columns, "  ");
        if (terminal.rows == 0 || number_of_lines(text) <= most) break;
    }
    return text;
}

std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   const std::function<std::size_t(std::size_t)>& room_beside) {
    std::vector<OperationSummary> others = summaries_of_operations(report);
    std::vector<Row> rows;
    for (const OperationSummary& each : others)
        if (each.worst != nullptr) rows.push_back(row_of(report, each, terminal));
    std::erase_if(others, [](const OperationSummary& each) { return each.worst != nullptr; });
    std::string rest = without_violation(others, terminal, lines_for_names);
    const std::size_t room = room_beside(lines_of(rows, terminal) + number_of_lines(rest));
    if (rows.empty()) return rest;
    if (lines_of(with_one_row_per_form(rows), terminal) + number_of_lines(rest) > room)
        rest = without_violation(others, terminal, 1);
    return fitted(rows, terminal, room - std::min(room, 1 + number_of_lines(rest))) + rest;
}

}  // namespace mpiaudit
