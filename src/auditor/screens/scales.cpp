// SPDX-License-Identifier: BSD-3-Clause
#include "screens/scales.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "answer/answer.h"
#include "record/samples_file.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "text/console.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

constexpr std::size_t width_of_number = 7;
/// Lines of the table on a terminal; a file has all operations.
constexpr std::size_t most_lines_of_scales = 40;

/// One operation, with its row of the overview at each scale; null where the operation is not shown
/// to be slow.
struct SlowOperation {
    std::vector<const OverviewRow*> rows;
    std::vector<bool> is_decided;
    double lost_s = 0;  ///< most seconds that a call loses, where each rank has a core
    std::string data;   ///< RowInWords::data at the largest scale with a row

    /// Returns the row at the largest scale with one.
    const OverviewRow& last() const {
        return **std::find_if(rows.rbegin(), rows.rend(), [](const auto* row) { return row; });
    }
};

/// Returns true if all launches have measured the violation of the row.
bool is_confirmed(const Report& report, const OverviewRow& row) {
    if (report.launches.size() < 2) return true;
    const JudgedCheck* const check = check_of(report, row);
    return check != nullptr && check->launches.size() == report.launches.size();
}

/// Returns true if ranks share cores, so that times and ratios say little.
bool is_crowded(const ScaleReport& scale) {
    return !ranks_without_cores(scale.report.header).empty();
}

std::map<std::string, SlowOperation> slow_operations(std::span<const ScaleReport> scales) {
    std::map<std::string, SlowOperation> found;
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const std::vector<RowInWords> words = rows_in_words(scales[i].report);
        for (const OverviewRow& row : scales[i].report.overview) {
            if (!is_confirmed(scales[i].report, row)) continue;
            SlowOperation& operation = found[row.operation];
            operation.rows.resize(scales.size());
            if (operation.rows[i] != nullptr) continue;
            operation.rows[i] = &row;
            operation.data =
                words[static_cast<std::size_t>(&row - scales[i].report.overview.data())].data;
            if (!is_crowded(scales[i])) operation.lost_s = std::max(operation.lost_s, row.lost_s);
        }
    }
    for (auto& [name, operation] : found) {
        for (const ScaleReport& each : scales) {
            const auto summaries = summaries_of_operations(each.report);
            const auto* const own = find_in(summaries, name, &OperationSummary::operation);
            operation.is_decided.push_back(own != nullptr && own->counts.decided() > 0);
        }
    }
    return found;
}

/// Returns "from 4 ranks on", "up to 4 ranks", "on 2 and 8 ranks", "on all numbers of ranks".
std::string where(const SlowOperation& operation, std::span<const ScaleReport> scales) {
    std::vector<std::size_t> slow;
    for (std::size_t i = 0; i < scales.size(); ++i)
        if (operation.rows[i] != nullptr) slow.push_back(i);
    const std::size_t first = slow.front(), last = slow.back();
    const bool is_run = last - first + 1 == slow.size();
    if (slow.size() == scales.size())
        return fmt::format("on all numbers of {}", scales.front().scale.unit);
    if (is_run && slow.size() > 1 && last + 1 == scales.size())
        return fmt::format("from {} on", scales[first].scale.in_words());
    if (is_run && slow.size() > 1 && first == 0)
        return fmt::format("up to {}", scales[last].scale.in_words());
    if (slow.size() == 1) return fmt::format("on {} only", scales[first].scale.in_words());
    std::vector<int> numbers;
    for (const std::size_t i : slow) numbers.push_back(scales[i].scale.number);
    const int largest = numbers.back();
    numbers.pop_back();
    return fmt::format("on {} and {} {}", fmt::join(numbers, ", "), largest,
                       scales.front().scale.unit);
}

std::string cell(const SlowOperation& operation, std::span<const ScaleReport> scales,
                 std::size_t place) {
    const OverviewRow* const row = operation.rows[place];
    if (row == nullptr) return operation.is_decided[place] ? "-" : "?";
    return row->factor && !is_crowded(scales[place]) ? ratio_text(*row->factor) : "slow";
}

/// Returns the ratios of an operation and a sentence about them.
std::string lines_of(const std::string& name, const SlowOperation& operation,
                     std::span<const ScaleReport> scales, std::size_t width, std::size_t columns,
                     const Terminal& terminal) {
    std::string text =
        fmt::format("{:<{}}", name.size() > width ? shortened(name, width) : name, width);
    for (std::size_t i = scales.size() - columns; i < scales.size(); ++i)
        text += fmt::format("{:>{}}", cell(operation, scales, i), width_of_number);
    const OverviewRow& row = operation.last();
    std::string sentence = fmt::format("  {}: slower than {}", where(operation, scales),
                                       row.contestant.empty() ? "another way" : row.contestant);
    if (row.bytes) sentence += fmt::format(" at {}", bytes_text(*row.bytes));
    if (!operation.data.empty()) sentence += fmt::format(" ({})", operation.data);
    if (operation.lost_s > 0)
        sentence += fmt::format("; up to {} us more per call", microseconds(operation.lost_s));
    return emphasised(text, terminal) + "\n" + wrapped(sentence, terminal.columns, "    ");
}

}  // namespace

ScaleReport report_of_scale(const std::vector<std::string>& folders, const AuditScale& scale,
                            const std::function<judge::Rule(const judge::Rule&)>& rule) {
    std::vector<std::string> of_scale;
    for (const std::string& each : folders) of_scale.push_back(folder_of(each, scale));
    if (of_scale.size() == 1) of_scale = with_confirmations(of_scale.front());
    std::vector<NamedAudit> launches = read_launches(of_scale);
    // An interrupted confirmation confirms nothing.
    if (folders.size() == 1)
        std::erase_if(launches, [&](const NamedAudit& each) {
            return &each != launches.data() && !each.audit.is_complete();
        });
    ScaleReport joint;
    joint.scale = scale;
    for (const NamedAudit& each : launches) joint.folders.push_back(each.name);
    const std::vector<record::Audit> joined = joined_launches(std::move(launches));
    joint.report = make_report(joined, rule(joined.front().header.rule));
    return joint;
}

std::string line_of_scale(const AuditScale& scale, const Report& report, const Terminal& terminal) {
    std::string line =
        fmt::format("{}{}: {}", scale.in_words(), launches_of(report), headline(report));
    if (!report.is_complete) line += " " + incomplete_in_words(report);
    return wrapped(line, terminal.columns, "  ");
}

std::string answer_of_scales(std::span<const ScaleReport> scales, const Terminal& terminal) {
    const auto found = slow_operations(scales);
    std::vector<std::pair<std::string, SlowOperation>> sorted(found.begin(), found.end());
    std::ranges::stable_sort(sorted, {}, [](const auto& each) {
        return std::pair(each.second.last().is_other_form, -each.second.lost_s);
    });
    if (sorted.empty())
        return wrapped("No operation is slower than another way that was measured.",
                       terminal.columns, "  ");
    std::size_t width = std::string_view("Operation").size();
    for (const auto& [name, operation] : sorted) width = std::max(width, name.size());
    const auto room = static_cast<std::size_t>(terminal.columns);
    width = std::min(width, room / 2);
    // The largest scales come first where the screen is too narrow for all.
    const std::size_t columns = std::min(scales.size(), (room - width) / width_of_number);
    std::string text = fmt::format(
        "\nTimes over those of the other way, by number of {}; - not slow, ? no answer\n{:<{}}",
        scales.front().scale.unit, "Operation", width);
    for (std::size_t i = scales.size() - columns; i < scales.size(); ++i)
        text += fmt::format("{:>{}}", scales[i].scale.number, width_of_number);
    text += "\n";
    std::size_t shown = 0;
    for (const auto& [name, operation] : sorted) {
        const std::size_t most = terminal.at_most(most_lines_of_scales);
        if (most > 0 && number_of_lines(text) + 2 > most) break;
        text += lines_of(name, operation, scales, width, columns, terminal);
        ++shown;
    }
    if (shown < sorted.size())
        text += fmt::format("and {}\n", counted(sorted.size() - shown, "more operation"));
    return text;
}

}  // namespace mpiaudit
