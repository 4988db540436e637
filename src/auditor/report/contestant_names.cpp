// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "report/findings.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A reference algorithm on padded blocks is a reference algorithm, too.
std::string kind_of_name(const ReportedContestant& contestant) {
    const Way& way = contestant.name.way();
    const Form* const form = way.only();
    if (form == nullptr || way.scale.repeats > 1) return "composed";
    if (!form->is_of_mpi() && !form->is_move()) return "reference";
    return contestant.forced || form->is_operation() ? "native" : "composed";
}

/// Splits the name of a contestant for readers. For a composition, `implementation`, `function` and
/// `start` are empty.
ContestantName parts_of(const Report& report, const ReportedContestant& contestant) {
    const Way& way = contestant.name.way();
    ContestantName parts{.name = contestant.name,
                         .operation = way.operations(),
                         .label = contestant.name,
                         .implementation = {},
                         .function = {},
                         .start = {},
                         .kind = kind_of_name(contestant),
                         .is_copy = way.copy > 1};
    const Form* const form = way.only();
    if (form == nullptr) return parts;
    if (way.is_one_call() && form->has_no_brackets() && !parts.is_copy)
        parts.label = parts.operation;
    const bool is_call =
        form->has_no_brackets() && way.scale.is_plain() && way.terms.front().completion.empty();
    if (is_call && find_in(report.header.implementations, parts.operation,
                           &record::Implementation::name) != nullptr)
        parts.implementation = parts.operation;
    if (!form->is_of_mpi() || form->mpi_operation() == nullptr) return parts;
    parts.function = form->operation;
    if (*form == Form{.operation = form->operation, .start = form->start})
        parts.start = mpiaudit::name(form->start);
    return parts;
}

}  // namespace

std::vector<ContestantName> contestant_names(const Report& report) {
    std::vector<ContestantName> names;
    std::set<std::string_view> known;
    for (const ReportedProblem& problem : report.problems)
        for (const ReportedContestant& each : problem.contestants)
            if (known.insert(each.name).second) names.push_back(parts_of(report, each));
    return names;
}

}  // namespace mpiaudit
