// SPDX-License-Identifier: BSD-3-Clause
// Wrong results in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "answer/answer.h"
#include "repeat/commands.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {

std::string in_words(const WrongForm& form) {
    if (!form.generated.empty()) return form.contestant + ": " + form.what.text;
    return fmt::format("{} {}on {}: {}", form.contestant,
                       form.what.ends_launch() ? "" : "gives a wrong result ", form.problem,
                       form.what.text);
}

std::string in_words(const WrongOperation& wrong) {
    std::set<std::string> problems, operations;
    for (const WrongForm& each : wrong.forms)
        if (!each.generated.empty() && each.generated != wrong.operation)
            operations.insert(each.generated);
    for (const WrongForm& each : wrong.forms)
        problems.insert(each.problems.begin(), each.problems.end());
    std::vector<std::string> more;
    if (!operations.empty())
        more.push_back(operations.size() == 1 ? *operations.begin()
                                              : counted(operations.size(), "other operation"));
    else if (wrong.forms.size() > 1)
        more.push_back(fmt::format("{} of {}", counted(wrong.forms.size() - 1, "other form"),
                                   wrong.operation));
    if (problems.size() > 1) more.push_back(counted(problems.size() - 1, "other problem"));
    std::string text = in_words(wrong.forms.front());
    if (more.empty()) return text;
    return text + fmt::format("; the same with {}{}", more.front(),
                              more.size() > 1 ? " and on " + more.back() : "");
}

std::string command_of(const Report& report, const WrongForm& form) {
    if (!form.generated.empty())
        return fmt::format("{} --call '{}'", start_of_command(report.header, "verify"), form.form);
    const ReportedProblem* const problem = find_problem(report, form.problem);
    const auto* const way = problem == nullptr ? nullptr
                                               : find_in(problem->contestants, form.contestant,
                                                         &ReportedContestant::name);
    // The barrier that brings ranks together is no contestant.
    if (way == nullptr)
        return start_of_command(report.header, "verify") + " --collectives MPI_Barrier";
    return verify_command(report.header, *way, problem->problem);
}

std::vector<std::string> untested_forms(const Report& report) {
    std::vector<std::string> all;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (each.known_to_fail && !is_among(all, each.known_to_fail->text))
                all.push_back(each.known_to_fail->text);
        }
    }
    return all;
}

std::string known_faults_in_words(const Report& report) {
    std::vector<std::string> known;
    for (const record::CallFinding& each : findings_of(report, true))
        known.push_back(each.call_in_words() + ": " + each.what.text);
    for (const std::string& each : known_wrong_forms(report)) {
        if (std::ranges::none_of(known, [&](const auto& other) { return other.starts_with(each); }))
            known.push_back(each + ": wrong result");
    }
    if (known.empty()) return "";
    return fmt::format("Known in this version of the library: {}{}", known.front(),
                       known.size() > 1 ? "; and " + counted(known.size() - 1, "more fault") : "");
}

std::string generated_calls_in_words(const Report& report) {
    if (!report.generated_calls) return "";
    const record::GeneratedCalls& found = *report.generated_calls;
    std::string text = fmt::format(
        "Checked {} generated calls of the library in {:.1f} s, with {} of {} pairs of properties",
        found.calls, found.seconds, found.covered_pairs, found.valid_pairs);
    if (!found.unconfirmed.empty())
        text += fmt::format(
            "; {} ended a launch, but no other launch alone, so memory may have been damaged "
            "before",
            counted(found.unconfirmed.size(), "call"));
    if (found.covered_pairs >= found.valid_pairs || found.calls == 0) return text;
    // Each further call has at least one new pair.
    const auto calls = static_cast<double>(found.calls + found.valid_pairs - found.covered_pairs);
    return text + fmt::format("; --check-calls {:.0f}s has all pairs",
                              std::ceil(found.seconds * calls / static_cast<double>(found.calls)));
}

}  // namespace mpiaudit
