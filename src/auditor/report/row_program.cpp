// SPDX-License-Identifier: BSD-3-Clause
// Declared in report/overview_rows.h.
#include <algorithm>

#include "code/program.h"
#include "report/overview_rows.h"

namespace mpiaudit {

bool has_program(const Report& report, const OverviewRow& row) {
    const JudgedCheck* const check = check_of(report, row);
    const ReportedProblem* const problem = find_problem(report, row.problem);
    if (check == nullptr || problem == nullptr) return false;
    const std::string& right = row.contestant.empty() ? std::string(check->right) : row.contestant;
    const auto can_be_shown = [&](const ReportedContestant& way) {
        return program_side(way, report.header).has_value();
    };
    const auto& ways = problem->contestants;
    return std::ranges::any_of(ways, [&](const ReportedContestant& one) {
        return one.name == check->left && can_be_shown(one) &&
               std::ranges::any_of(ways, [&](const ReportedContestant& other) {
                   return other.name == right && is_between_same_layouts(one, other) &&
                          can_be_shown(other);
               });
    });
}

}  // namespace mpiaudit
