// SPDX-License-Identifier: BSD-3-Clause
#include "report/wrong_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "operations/operations.h"
#include "report/console.h"
#include "report/findings.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

enum class FaultKind { hangs, crashes, wrong };
FaultKind kind_of_fault(const std::string& what) {
    if (what.starts_with("hangs")) return FaultKind::hangs;
    return what.starts_with("crashes") ? FaultKind::crashes : FaultKind::wrong;
}

bool is_plain(const WrongForm& form) {
    return find_mpi_operation(form.form) != nullptr;
}

/// A wrong form and the operations that it calls.
struct CalledForm {
    WrongForm form;
    std::vector<std::string> operations;  ///< blocking operations that the form calls
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

/// Returns the wrong forms with all their problems. The forms that verification found come first,
/// then a wrong barrier, then the forms that measurements found.
std::vector<CalledForm> called_forms(const Report& report) {
    std::vector<CalledForm> all;
    for (const bool is_verification : {true, false}) {
        if (!is_verification && report.wrong_barrier) all.push_back(barrier_form(report));
        for (const ReportedProblem& problem : report.problems) {
            if (problem.problem.verification != is_verification) continue;
            for (const ReportedContestant& each : problem.contestants) {
                if (!each.wrong) continue;
                const std::string form = each.name.way().operations();
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
    const bool is_incident = kind_of_fault(what) != FaultKind::wrong;
    return fmt::format("{} {}on {}: {}", contestant, is_incident ? "" : "gives a wrong result ",
                       problem, what);
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
        for (const auto& [form, operations] : forms) {
            if ((operations.size() > 1) != is_composition) continue;
            const FaultKind kind = kind_of_fault(form.what);
            auto at = places.end();
            for (const std::string& each : operations) {
                if (at == places.end()) at = places.find({each, kind});
            }
            if (at == places.end()) {
                const std::string name = is_composition ? form.form : operations.front();
                at = places.try_emplace({name, kind}, all.size()).first;
                if (at->second == all.size()) all.push_back({name, {}});
            }
            all[at->second].forms.push_back(form);
        }
    }
    for (WrongOperation& each : all) std::ranges::stable_partition(each.forms, is_plain);
    return all;
}

std::string WrongOperation::sentence() const {
    std::set<std::string> problems;
    for (const WrongForm& each : forms) problems.insert(each.problems.begin(), each.problems.end());
    std::vector<std::string> more;
    if (forms.size() > 1)
        more.push_back(fmt::format("{} of {}", counted(forms.size() - 1, "other form"), operation));
    if (problems.size() > 1) more.push_back(counted(problems.size() - 1, "other problem"));
    std::string text = forms.front().sentence();
    if (more.empty()) return text;
    return text + fmt::format("; the same with {}{}", more.front(),
                              more.size() > 1 ? " and on " + more.back() : "");
}

std::vector<std::string> untested_known_faults(const Report& report) {
    std::vector<std::string> all;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (each.known_to_fail && each.skipped && !is_among(all, *each.skipped))
                all.push_back(*each.skipped);
        }
    }
    return all;
}

std::string saturated_sums(const Report& report) {
    std::vector<std::string> elements;
    for (const ReportedProblem& problem : report.problems) {
        const bool has_remark = std::ranges::any_of(
            problem.contestants,
            [](const ReportedContestant& each) { return each.remark.has_value(); });
        if (has_remark && !is_among(elements, problem.problem.element))
            elements.push_back(problem.problem.element);
    }
    if (elements.empty()) return "";
    return fmt::format(
        "MPI_SUM of {} saturates instead of wrapping around; mpiaudit verify --collectives "
        "allreduce --element {} shows it",
        fmt::join(elements, " and "), elements.back());
}

/// Counts the contestants of the verification. Those for which no time was left are not verified.
VerifiedForms verified_forms(const Report& report) {
    VerifiedForms found;
    for (const ReportedProblem& problem : report.problems) {
        if (!problem.problem.verification) continue;
        found.elapsed_s += problem.elapsed_s;
        for (const ReportedContestant& each : problem.contestants) {
            const bool is_late = each.skipped == record::no_time_left;
            if (each.skipped && !is_late && !each.wrong) continue;
            ++found.all;
            found.verified += !is_late;
        }
    }
    return found;
}

std::string VerifiedForms::sentence() const {
    if (verified == all) return "";
    // The remaining forms solve larger problems than the verified forms.
    constexpr double reserve = 1.5, minute_s = 60.0;
    const double all_s = elapsed_s * static_cast<double>(all) /
                         static_cast<double>(std::max<std::size_t>(verified, 1));
    const double minutes = std::ceil(reserve * all_s / verification_share_of_budget / minute_s);
    return fmt::format("Verified {} of {} forms; --budget {:.0f}m verifies all", verified, all,
                       minutes);
}

}  // namespace mpiaudit
