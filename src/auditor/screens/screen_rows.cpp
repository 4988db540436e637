// SPDX-License-Identifier: BSD-3-Clause
#include "screens/screen_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/findings.h"
#include "report/overview_rows.h"
#include "screens/codes.h"
#include "screens/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A cluster has at least this many operations, at sizes that lie within this factor, with ratios
/// that lie within this factor.
constexpr std::size_t least_of_cluster = 3;
constexpr double width_of_cluster = 4.0, ratios_of_cluster = 1.5;

/// Returns three digits: 0.613, 4.13, 61.2, 416, 12500, 1.2M.
std::string three_digits(double us) {
    if (us >= 999'500) return fmt::format("{:.3g}M", us / 1e6);
    if (us >= 99.95) return fmt::format("{:.0f}", us);
    return fmt::format("{:.{}f}", us, us >= 9.995 ? 1 : us >= 0.9995 ? 2 : 3);
}

/// Returns "512B", "19.8Ki" or "1Mi".
std::string short_bytes(std::int64_t bytes) {
    std::string text = bytes_text(bytes);
    text.erase(std::ranges::find(text, ' '));
    if (text.ends_with("iB")) text.pop_back();
    return text;
}

/// Returns "4.69Ki..223Ki", "8B..2Ki" or "512B".
std::string sizes_of(const OverviewRow& row) {
    if (!row.low_bytes || !row.high_bytes) return "-";
    const std::string low = short_bytes(*row.low_bytes), high = short_bytes(*row.high_bytes);
    return low == high ? high : low + ".." + high;
}

/// Returns a name as a row has it: without MPI_ and MPI_Wait.
std::string short_name(std::string name) {
    replace_all(name, " + MPI_Wait", "");
    replace_all(name, "MPI_", "");
    return name;
}

void add_advice(const Report& report, const OverviewRow& of, ScreenRow& row) {
    const auto* const setting =
        find_in(report.faster_settings, of.operation, &FasterSetting::operation);
    if (of.kind == AdviceKind::setting) {
        row.advice = "set";
        row.note = row.words.code;
    } else if (of.kind == AdviceKind::report) {
        row.advice = of.factor ? "report it" : "not confirmed";
    } else {
        row.advice = row.words.cure.empty() ? "reuse it" : short_name(row.words.cure);
    }
    // Where most is lost, the setting must not be slower.
    if (setting != nullptr && !(of.bytes && is_among(setting->slower_at_bytes, *of.bytes)))
        row.note = "or set, " + note_of_setting(*setting);
    row.has_conditions =
        !row.words.data.empty() || !row.words.caveat.empty() || !row.words.needs.empty();
}

ScreenRow row_of(const Report& report, const OverviewRow& of, const RowInWords& words) {
    constexpr double us = 1e6;
    ScreenRow row{.of = &of,
                  .words = words,
                  .code = code_of_row(report, of),
                  .operation = short_name(of.operation),
                  .takes = three_digits(us * of.takes_s),
                  .instead = of.instead_s ? three_digits(us * *of.instead_s) : "-",
                  .lost = of.lost_s > 0.0 ? three_digits(us * of.lost_s) : "-",
                  .times = worst_ratio(of) > 1.0 ? ratio_text(worst_ratio(of)) : "-",
                  .sizes = sizes_of(of),
                  .advice = {},
                  .note = {}};
    add_advice(report, of, row);
    return row;
}

/// Returns true if two operations are slow at the same few sizes by about the same ratio.
bool are_alike(const OverviewRow& a, const OverviewRow& b) {
    for (const OverviewRow* each : {&a, &b}) {
        if (each->is_other_form || !each->low_bytes || *each->low_bytes <= 0) return false;
        if (each->is_lowest && each->is_highest) return false;
        const auto low = static_cast<double>(*each->low_bytes);
        if (static_cast<double>(*each->high_bytes) > width_of_cluster * low) return false;
    }
    const double ratio = worst_ratio(a) / worst_ratio(b);
    const bool are_near = ratio < ratios_of_cluster && ratio > 1.0 / ratios_of_cluster;
    return are_near && a.low_bytes <= b.high_bytes && b.low_bytes <= a.high_bytes;
}

/// Moves rows that are alike from `rows` to clusters.
std::vector<Cluster> clusters_in(std::vector<ScreenRow>& rows) {
    std::vector<Cluster> clusters;
    for (std::size_t i = 0; i < rows.size();) {
        const OverviewRow& first = *rows[i].of;
        const auto rest = std::stable_partition(
            rows.begin() + static_cast<std::ptrdiff_t>(i), rows.end(),
            [&](const ScreenRow& each) { return !are_alike(first, *each.of); });
        if (static_cast<std::size_t>(rows.end() - rest) < least_of_cluster) {
            std::ranges::stable_sort(rows, {}, &ScreenRow::of);
            ++i;
            continue;
        }
        Cluster& cluster = clusters.emplace_back();
        cluster.rows.assign(std::make_move_iterator(rest), std::make_move_iterator(rows.end()));
        rows.erase(rest, rows.end());
        cluster.low_bytes = *first.low_bytes;
        for (const ScreenRow& each : cluster.rows) {
            cluster.low_bytes = std::min(cluster.low_bytes, *each.of->low_bytes);
            cluster.high_bytes = std::max(cluster.high_bytes, *each.of->high_bytes);
        }
    }
    return clusters;
}

}  // namespace

std::vector<ScreenRow> with_one_row_per_form(const std::vector<ScreenRow>& rows) {
    std::vector<ScreenRow> some;
    for (const ScreenRow& row : rows) {
        const auto same = std::ranges::find_if(some, [&](const ScreenRow& each) {
            return !row.of->form.empty() && each.of->form == row.of->form;
        });
        if (same == some.end())
            some.push_back(row);
        else
            ++same->alike;
    }
    return some;
}

std::vector<ScreenRow> all_rows(const Screen& screen) {
    std::vector<ScreenRow> rows = screen.rows;
    rows.insert(rows.end(), screen.small.begin(), screen.small.end());
    for (const Cluster& each : screen.clusters)
        rows.insert(rows.end(), each.rows.begin(), each.rows.end());
    std::ranges::stable_sort(rows, {}, &ScreenRow::of);
    return rows;
}

std::string note_of_setting(const FasterSetting& setting) {
    std::string text = fmt::format("{} times as fast{}", ratio_text(setting.factor),
                                   setting.bytes ? " at " + bytes_text(*setting.bytes) : "");
    std::vector<std::string> slower;
    for (const std::int64_t bytes : setting.slower_at_bytes) slower.push_back(bytes_text(bytes));
    if (!slower.empty())
        text += fmt::format(" (slower at {}: {})", fmt::join(slower, ", "),
                            ratio_text(setting.slower_by));
    return text + ": " + setting.variables;
}

void add_rows(const Report& report, Screen& screen) {
    if (!ranks_without_cores(report.header).empty()) {
        // Ratios say little there.
        std::vector<std::string> names;
        for (const OverviewRow& each : report.overview) names.push_back(each.operation);
        if (!names.empty())
            screen.below.push_back(
                {.text = fmt::format("Slower here: {}", fmt::join(names, ", "))});
        return;
    }
    std::vector<ScreenRow> rows;
    const std::vector<RowInWords> words = rows_in_words(report);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const OverviewRow& each = report.overview[i];
        (is_small(each) ? screen.small : rows).push_back(row_of(report, each, words[i]));
    }
    screen.clusters = clusters_in(rows);
    screen.rows = std::move(rows);
}

}  // namespace mpiaudit
