// SPDX-License-Identifier: BSD-3-Clause
// Settings that an audit with --algorithms has found: declared in report/report.h and
// report/findings.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "code/paste.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "settings/families.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// The number of operations whose algorithms are compared at once, which takes some seconds.
constexpr std::size_t most_compared = 3;

/// Returns MPI_Ireduce for MPI_Ireduce + MPI_Wait.
std::string function_of_row(const Report& report, const OverviewRow& row) {
    const JudgedCheck* const check = check_of(report, row);
    return check == nullptr ? row.operation : check->left.way().terms.front().form.function();
}

/// Sets the sizes at which the algorithm takes clearly longer than the library's own choice.
void set_slower_sizes(const Report& report, const JudgedCheck& check, FasterSetting& setting) {
    std::vector<std::int64_t>& sizes = setting.slower_at_bytes;
    for (const ReportedProblem& problem : report.problems) {
        const auto* const own = contestant_of(check, check.left, problem);
        const auto* const forced = contestant_of(check, check.right, problem);
        if (own == nullptr || forced == nullptr || !own->statistics || !forced->statistics)
            continue;
        const auto bytes = bytes_of_rank(problem.problem, check.left.way());
        const double own_s = own->statistics->median, forced_s = forced->statistics->median;
        if (!bytes || own_s <= 0.0 || forced_s <= clear_ratio * own_s) continue;
        sizes.push_back(*bytes);
        setting.slower_by = std::max(setting.slower_by, forced_s / own_s);
    }
    std::ranges::sort(sizes);
}

/// Returns the variables of the setting that a row advises.
std::string setting_of(const Report& report, const OverviewRow& row) {
    const JudgedCheck* const check = check_of(report, row);
    const auto* const way =
        contestant_of(*check, row.contestant, *find_problem(report, row.problem));
    return way == nullptr
               ? ""
               : code_to_paste(*way, check->left.way(), report.header.implementations).text;
}

}  // namespace

std::vector<const OverviewRow*> rows_with_choice(const Report& report) {
    std::vector<const OverviewRow*> rows;
    std::vector<std::string> known;
    for (const OverviewRow& row : report.overview) {
        const std::string function = function_of_row(report, row);
        if (!is_among(report.header.with_choice, function) || is_among(known, function)) continue;
        known.push_back(function);
        rows.push_back(&row);
        if (rows.size() == most_compared) break;
    }
    return rows;
}

std::string operations_of_rows(const Report& report, std::span<const OverviewRow* const> rows) {
    std::vector<std::string> names;
    for (const OverviewRow* row : rows)
        names.push_back(lower_case(std::string(without_mpi(function_of_row(report, *row)))));
    return fmt::format("{}", fmt::join(names, ","));
}

void add_settings_of(const Report& algorithms, Report& report) {
    for (const JudgedCheck& check : algorithms.checks) {
        std::string operation = check.left.way().operations();
        if (!is_among(report.compared_operations, operation))
            report.compared_operations.push_back(std::move(operation));
    }
    for (const OverviewRow& row : algorithms.overview) {
        const JudgedCheck* const check = check_of(algorithms, row);
        // `launches` is empty if a single launch measured the check.
        if (row.kind != AdviceKind::setting || check == nullptr || check->launches.size() < 2 ||
            check->right != row.contestant)
            continue;
        const std::string& algorithm = check->right.way().only()->variant;
        FasterSetting& setting = report.faster_settings.emplace_back(
            FasterSetting{.operation = row.operation,
                          .variables = setting_of(algorithms, row),
                          .algorithm = algorithm,
                          .family = settings::family_of(std::string_view(algorithm)),
                          .factor = row.factor.value_or(1),
                          .saved_s = row.lost_s,
                          .launches = check->launches.size(),
                          .bytes = row.bytes,
                          .slower_at_bytes = {}});
        set_slower_sizes(algorithms, *check, setting);
    }
}

}  // namespace mpiaudit
