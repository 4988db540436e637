// SPDX-License-Identifier: BSD-3-Clause
// Defines functions of report.h that look at parts of a report.
#include "report/report.h"

#include <algorithm>

#include "text/plain.h"

namespace mpiaudit {

using judge::Verdict;

NameSet reference_names(const std::vector<record::Implementation>& implementations) {
    NameSet names;
    for (const record::Implementation& each : implementations) {
        const bool is_own = !each.stands_for.empty() || !each.form().is_of_mpi();
        if (!each.native && each.collective != "local" && is_own) names.insert(each.name);
    }
    return names;
}

CheckKind kind_of(const record::ContestantDescription& left, const NameSet& references) {
    if (left.forced) return CheckKind::verdict;
    const bool is_reference = std::ranges::any_of(
        left.forms(), [&](const Form& form) { return references.contains(form.name()); });
    return is_reference ? CheckKind::remark : CheckKind::verdict;
}

void VerdictCounts::add(Verdict verdict) {
    ++checks;
    violated += verdict == Verdict::violated;
    holds += verdict == Verdict::holds;
    undecided += verdict == Verdict::undecided;
    skipped += verdict == Verdict::skipped;
}

const ReportedContestant* contestant_of(const JudgedCheck& check, const std::string& name,
                                        const ReportedProblem& problem) {
    for (const ReportedContestant& each : problem.contestants)
        if (each.name == name && each.from == check.from && each.to == check.to) return &each;
    return nullptr;
}

const ReportedProblem* find_problem(const Report& report, const std::string& id) {
    return find_in(report.problems, id, [](const auto& each) { return each.problem.id; });
}

}  // namespace mpiaudit
