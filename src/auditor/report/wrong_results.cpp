// SPDX-License-Identifier: BSD-3-Clause
#include "report/wrong_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "known_faults/known_faults.h"
#include "operations/operations.h"
#include "repeat/commands.h"
#include "report/findings.h"
#include "report/known_forms.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// One fault of a library gives wrong values of several kinds, but one kind of end of a launch.
FaultKind kind_of_cause(const Fault& fault) {
    return fault.ends_launch() ? fault.kind : FaultKind::wrong_value;
}

bool is_plain(const WrongForm& form) {
    return find_mpi_operation(form.form) != nullptr;
}

/// A wrong form and the operations that it calls.
struct CalledForm {
    WrongForm form;
    std::vector<std::string> operations;  ///< blocking operations that the form calls
    std::string conditions = {};          ///< of a generated call
};

CalledForm called_form(const Report& report, const ReportedProblem& problem,
                       const ReportedContestant& contestant, std::string form) {
    CalledForm made{{.form = std::move(form),
                     .contestant = contestant.name,
                     .problem = problem.problem.id,
                     .what = *contestant.wrong,
                     .command = verify_command(report.header, contestant, problem.problem)},
                    {}};
    const std::vector<Form> forms = contestant.forms();
    const bool has_calls = !std::ranges::all_of(forms, &Form::is_move);
    for (const Form& each : forms)
        if (!has_calls || !each.is_move())
            made.operations.push_back(each.is_of_mpi() ? each.operation : each.algorithm);
    return made;
}

CalledForm barrier_form(const Report& report) {
    const record::Incident& incident = *report.wrong_barrier;
    return {{.form = incident.operation,
             .contestant = incident.operation,
             .problem = incident.problem,
             .what = incident.what,
             .problems = {incident.problem},
             .command = start_of_command(report.header, "verify") + " --collectives MPI_Barrier"},
            {"MPI_Barrier"}};
}

std::vector<record::CallFinding> findings_of(const Report& report, bool are_known) {
    std::vector<record::CallFinding> found;
    if (report.generated_calls)
        std::ranges::copy_if(report.generated_calls->findings, std::back_inserter(found),
                             [&](const auto& each) { return each.is_known == are_known; });
    return found;
}

/// Returns the known faults of a library, which are read once.
const std::vector<library_faults::Fault>& known_faults_of(const Report& report) {
    static std::map<std::string, std::vector<library_faults::Fault>> all;
    const std::string library = library_name(report.header.mpi.library);
    if (const auto at = all.find(library); at != all.end()) return at->second;
    std::vector<library_faults::Fault> known = library_faults::read(library_faults::shipped());
    std::erase_if(known, [&](const auto& each) { return !each.is_of(library); });
    return all.emplace(library, std::move(known)).first->second;
}

/// Returns the wrong forms of a report in which the library is known to fail.
std::vector<std::string> known_wrong_forms(const Report& report) {
    const std::vector<library_faults::Fault>& known = known_faults_of(report);
    std::vector<std::string> all;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (!each.wrong) continue;
            const std::string form = each.name.way().operations();
            if (is_known_form(known, each.name.way(), problem.problem.ranks) &&
                !is_among(all, form))
                all.push_back(form);
        }
    }
    return all;
}

/// Returns the new faults of generated calls; calls without further conditions come first.
std::vector<CalledForm> wrong_calls(const Report& report) {
    std::vector<record::CallFinding> findings = findings_of(report, false);
    std::ranges::stable_partition(findings,
                                  [](const auto& each) { return each.conditions.empty(); });
    std::vector<CalledForm> all;
    for (const record::CallFinding& each : findings) {
        const std::string command =
            fmt::format("{} --call '{}'", start_of_command(report.header, "verify"), each.call);
        all.push_back({{.form = each.call,
                        .contestant = each.call_in_words(),
                        .problem = record::generated_calls_problem,
                        .what = each.what,
                        .command = command,
                        .generated = each.operation},
                       {each.operation},
                       each.conditions});
    }
    return all;
}

/// Returns the wrong forms with all their problems. The generated calls come first, then the forms
/// that verification found, a wrong barrier, and the forms that measurements found.
std::vector<CalledForm> called_forms(const Report& report) {
    std::vector<CalledForm> all = wrong_calls(report);
    const std::vector<library_faults::Fault>& known_faults = known_faults_of(report);
    for (const bool is_verification : {true, false}) {
        if (!is_verification && report.wrong_barrier) all.push_back(barrier_form(report));
        for (const ReportedProblem& problem : report.problems) {
            if (problem.problem.verification != is_verification) continue;
            for (const ReportedContestant& each : problem.contestants) {
                if (!each.wrong) continue;
                const std::string form = each.name.way().operations();
                if (is_known_form(known_faults, each.name.way(), problem.problem.ranks)) continue;
                auto known = std::ranges::find(
                    all, form, [](const CalledForm& other) { return other.form.form; });
                if (known == all.end())
                    known = all.insert(all.end(), called_form(report, problem, each, form));
                if (!is_among(known->form.problems, problem.problem.id))
                    known->form.problems.push_back(problem.problem.id);
            }
        }
    }
    return all;
}

}  // namespace

std::string WrongForm::sentence() const {
    if (!generated.empty()) return contestant + ": " + what.text;
    return fmt::format("{} {}on {}: {}", contestant,
                       what.ends_launch() ? "" : "gives a wrong result ", problem, what.text);
}

std::vector<WrongForm> wrong_forms(const Report& report) {
    std::vector<WrongForm> all;
    for (CalledForm& each : called_forms(report)) all.push_back(std::move(each.form));
    return all;
}

std::vector<WrongOperation> wrong_operations(const Report& report) {
    std::vector<WrongOperation> all;
    std::map<std::pair<std::string, FaultKind>, std::size_t> places;
    const std::vector<CalledForm> forms = called_forms(report);
    // Single wrong forms come first: they may be the cause of wrong compositions.
    for (const bool is_composition : {false, true}) {
        for (const auto& [form, operations, conditions] : forms) {
            if ((operations.size() > 1) != is_composition) continue;
            const FaultKind kind = kind_of_cause(form.what);
            auto at = places.end();
            for (const std::string& each : operations) {
                if (at == places.end() && conditions.empty()) at = places.find({each, kind});
            }
            if (at == places.end()) {
                const std::string name = is_composition ? form.form : operations.front();
                const std::string cause = conditions.empty() ? name : conditions;
                at = places.try_emplace({cause, kind}, all.size()).first;
                if (at->second == all.size()) all.push_back({name, {}});
            }
            all[at->second].forms.push_back(form);
        }
    }
    for (WrongOperation& each : all) std::ranges::stable_partition(each.forms, is_plain);
    return all;
}

std::string WrongOperation::sentence() const {
    std::set<std::string> problems, operations;
    for (const WrongForm& each : forms)
        if (!each.generated.empty() && each.generated != operation)
            operations.insert(each.generated);
    for (const WrongForm& each : forms) problems.insert(each.problems.begin(), each.problems.end());
    std::vector<std::string> more;
    if (!operations.empty())
        more.push_back(operations.size() == 1 ? *operations.begin()
                                              : counted(operations.size(), "other operation"));
    else if (forms.size() > 1)
        more.push_back(fmt::format("{} of {}", counted(forms.size() - 1, "other form"), operation));
    if (problems.size() > 1) more.push_back(counted(problems.size() - 1, "other problem"));
    std::string text = forms.front().sentence();
    if (more.empty()) return text;
    return text + fmt::format("; the same with {}{}", more.front(),
                              more.size() > 1 ? " and on " + more.back() : "");
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
