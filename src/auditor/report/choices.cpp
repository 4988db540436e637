// SPDX-License-Identifier: BSD-3-Clause
// The library's choices of algorithms: choices() is declared in report/report.h, choices_table() in
// report/console.h.
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/findings.h"
#include "settings/families.h"
#include "text/units.h"

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

}  // namespace mpiaudit
