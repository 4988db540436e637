// SPDX-License-Identifier: BSD-3-Clause
// Declared in report/overview_rows.h.
#include <algorithm>
#include <array>

#include "code/program.h"
#include "report/overview_rows.h"

namespace mpiaudit {

bool has_program(const Report& report, const OverviewRow& row) {
    const JudgedCheck* const check = check_of(report, row);
    const ReportedProblem* const problem = find_problem(report, row.problem);
    if (check == nullptr || problem == nullptr) return false;
    const std::string right = row.contestant.empty() ? std::string(check->right) : row.contestant;
    return std::ranges::all_of(std::array{std::string(check->left), right}, [&](const auto& name) {
        return std::ranges::any_of(problem->contestants, [&](const ReportedContestant& way) {
            return way.name == name && program_side(way, report.header);
        });
    });
}

}  // namespace mpiaudit
