// SPDX-License-Identifier: BSD-3-Clause
// The library's choices of algorithms: choices() is declared in report/report.h, choices_table() in
// report/console.h.
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/console.h"
#include "report/findings.h"
#include "settings/families.h"

namespace mpiaudit {
std::vector<Choice> choices(const std::vector<ReportedProblem>& problems) {
    std::vector<Choice> all;
    for (const ReportedProblem& problem : problems) {
        std::map<std::string, double> own;
        std::map<std::string, std::vector<Choice::Algorithm>> algorithms;
        for (const ReportedContestant& each : problem.contestants) {
            const Way& way = each.name.way();
            if (!each.statistics || each.steps.size() != 1 || way.only() == nullptr ||
                way.terms.front().argument != Argument::whole || !way.scale.is_plain() ||
                way.copy > 1)
                continue;
            const Form& form = *way.only();
            if (each.forced)
                algorithms[form.function()].push_back({form.variant, each.statistics->median});
            else if (form.has_no_brackets() && form.mpi_operation() != nullptr)
                own[form.function()] = each.statistics->median;
        }
        for (auto& [operation, measured] : algorithms) {
            if (!own.contains(operation)) continue;
            std::ranges::sort(measured, {}, &Choice::Algorithm::median_s);
            const auto first_slower = std::ranges::lower_bound(measured, own[operation], {},
                                                               &Choice::Algorithm::median_s);
            const auto faster = static_cast<std::size_t>(first_slower - measured.begin());
            all.push_back({problem.problem.id, operation, own[operation], faster + 1, measured});
        }
    }
    return all;
}

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
