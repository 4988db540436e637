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
#include "report/findings.h"
#include "report/known_forms.h"
#include "text/plain.h"

namespace mpiaudit {
std::vector<record::CallFinding> findings_of(const Report& report, bool are_known) {
    std::vector<record::CallFinding> found;
    if (report.generated_calls)
        std::ranges::copy_if(report.generated_calls->findings, std::back_inserter(found),
                             [&](const auto& each) { return each.is_known == are_known; });
    return found;
}

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

CalledForm called_form(const ReportedProblem& problem, const ReportedContestant& contestant,
                       std::string form) {
    CalledForm made{{.form = std::move(form),
                     .contestant = contestant.name,
                     .problem = problem.problem.id,
                     .what = *contestant.wrong},
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
             .problems = {incident.problem}},
            {"MPI_Barrier"}};
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

/// Returns the new faults of generated calls; calls without further conditions come first.
std::vector<CalledForm> wrong_calls(const Report& report) {
    std::vector<record::CallFinding> findings = findings_of(report, false);
    std::ranges::stable_partition(findings,
                                  [](const auto& each) { return each.conditions.empty(); });
    std::vector<CalledForm> all;
    for (const record::CallFinding& each : findings) {
        all.push_back({{.form = each.call,
                        .contestant = each.call_in_words(),
                        .problem = record::generated_calls_problem,
                        .what = each.what,
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
                    known = all.insert(all.end(), called_form(problem, each, form));
                if (!is_among(known->form.problems, problem.problem.id))
                    known->form.problems.push_back(problem.problem.id);
            }
        }
    }
    return all;
}

}  // namespace

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

}  // namespace mpiaudit
