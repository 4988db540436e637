// SPDX-License-Identifier: BSD-3-Clause
// Defines caveat_of_rule() of report.h.
#include "answer/answer.h"
#include "report/report.h"

#include <fmt/format.h>

#include "text/units.h"

namespace mpiaudit {

std::string caveat_of_rule(const Report& report) {
    const judge::Criterion criterion = report.header.rule.criterion;
    if (criterion == judge::Criterion::evidence || report.header.simulated) return "";
    std::size_t violations = 0, by_minima = 0, by_evidence = 0;
    for (const JudgedCheck& check : report.checks) {
        if (!check.is_violation()) continue;
        const judge::RuleVerdicts& by = check.samples->judgement.by;
        ++violations;
        by_minima += by.minima == judge::Verdict::violated;
        by_evidence += by.evidence == judge::Verdict::violated;
    }
    if (violations == 0) return "";
    const bool are_means =
        criterion == judge::Criterion::averages || criterion == judge::Criterion::intervals;
    const std::string minima = criterion == judge::Criterion::minima
                                   ? ""
                                   : fmt::format("the minima confirm {} of {}, ", by_minima,
                                                 counted(violations, "violation"));
    return fmt::format(
        "Judged by {}, a rule that bounds no error{}: {}the evidence of all samples confirms {}{}. "
        "Only these have a remedy.",
        judge::criterion_names[criterion],
        are_means ? "; one disturbed sample can make a violation" : "", minima, by_evidence,
        minima.empty() ? fmt::format(" of {}", counted(violations, "violation")) : "");
}

}  // namespace mpiaudit
