// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "answer/answer.h"
#include "report/findings.h"
#include "screens/tables.h"
#include "settings/families.h"

namespace mpiaudit {

std::string choices_table(const Report& report, const Terminal& terminal) {
    if (report.choices.empty()) return "";
    std::size_t operation = 9, problem = 7;
    for (const Choice& each : report.choices) {
        operation = std::max(operation, each.operation.size());
        problem = std::max(problem, place_of(report, each.problem).size());
    }
    std::string text = fmt::format(
        "The library's own choice, its rank among its algorithms, and the best of them:\n"
        "{:<{}} {:<{}} {:>9} {:>4} {:>9}  {}\n",
        "Operation", operation, "Problem", problem, "us", "Rank", "Best, us", "Algorithm");
    for (const Choice& each : report.choices) {
        const Choice::Algorithm& best = each.algorithms.front();
        const std::string line =
            fmt::format("{:<{}} {:<{}} {:>9.2f} {:>4} {:>9.2f}", each.operation, operation,
                        place_of(report, each.problem), problem, each.median_s * 1e6, each.rank,
                        best.median_s * 1e6);
        const std::string name = settings::with_family(best.name);
        const bool fits =
            line.size() + 2 + name.size() <= static_cast<std::size_t>(terminal.columns);
        text += line + (fits ? "  " : "\n    ") + name + "\n";
    }
    return text + "\n";
}

}  // namespace mpiaudit
