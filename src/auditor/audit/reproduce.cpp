// SPDX-License-Identifier: BSD-3-Clause
// `mpiaudit reproduce`, declared in audit/commands.h.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "answer/answer.h"
#include "audit/commands.h"
#include "audit/shown_program.h"
#include "files/files.h"
#include "record/json_form.h"
#include "record/samples_file.h"
#include "repeat/commands.h"
#include "report/overview_rows.h"
#include "report/report.h"
#include "screens/codes.h"
#include "screens/console.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A ratio of one launch may be far from the ratios of others.
void warn_of_one_launch(const JudgedCheck& check) {
    if (check.launches.size() > 1) return;
    remark(
        "warning: only one launch has measured {}@{}, and launches differ; measure it in more "
        "launches first (mpiaudit run --confirm FOLDER)",
        check.guideline, check.problem);
}

/// Returns the program of the generated call that `asked` names, or of the first one if `asked` is
/// empty, which is a new fault if there is one. \param header of the audit; null for a search
/// without an audit
std::string program_of_finding(const record::GeneratedCalls& calls, const std::string& asked,
                               const record::Header* header, const OtherProducts& other_products) {
    other_products.require_checker(asked.empty() ? "reproduce" : "--call");
    const std::vector<record::CallFinding>& findings = calls.findings;
    const auto is_asked = [&](const record::CallFinding& each) {
        return asked.empty() || each.call == asked;
    };
    auto found = std::ranges::find_if(findings, [&](const record::CallFinding& each) {
        return is_asked(each) && !each.is_known;
    });
    if (found == findings.end()) found = std::ranges::find_if(findings, is_asked);
    if (found == findings.end())
        throw UsageError(
            asked.empty()
                ? "reproduce: no generated call in the folder has a fault"
                : "--call: the folder has no fault of this call; leave out the folder for the "
                  "program of any call");
    std::vector<std::string> lines{found->what.text};
    if (header != nullptr)
        lines.push_back(header->mpi.library.substr(0, header->mpi.library.find('\n')));
    return other_products.program_of_call(
        found->call, std::move(lines),
        header != nullptr ? start_of_ranks(*header)
                          : fmt::format("mpirun -n {}", std::max(calls.ranks, 2)));
}

/// Returns the row of the first screen that has this check; null if no row has it.
const OverviewRow* row_of(const Report& report, const std::string& check) {
    const auto found = std::ranges::find_if(report.overview, [&](const OverviewRow& each) {
        return each.guideline + '@' + each.problem == check;
    });
    return found == report.overview.end() ? nullptr : &*found;
}

std::string program_of_row(const Report& report, const OverviewRow& row,
                           const std::vector<record::Audit>& launches) {
    const JudgedCheck* const check = check_of(report, row);
    if (check == nullptr)
        throw UsageError("reproduce: the audit has no check {}@{}", row.guideline, row.problem);
    try {
        std::string text = program_of_subject(report, {check, &row}, launches);
        warn_of_one_launch(*check);
        return text;
    } catch (const std::invalid_argument& error) {
        throw UsageError("reproduce: {}@{}: {}", row.guideline, row.problem, error.what());
    }
}

/// Returns the program of the check that is named; nullopt if there is no such check.
std::optional<std::string> program_of_named_check(const Report& report, const std::string& asked,
                                                  const std::vector<record::Audit>& launches) {
    if (const OverviewRow* const row = row_of(report, asked))
        return program_of_row(report, *row, launches);
    const auto found = std::ranges::find_if(report.checks, [&](const JudgedCheck& each) {
        return each.guideline + '@' + each.problem == asked;
    });
    if (found == report.checks.end()) return std::nullopt;
    try {
        std::string text = program_of_subject(report, {&*found}, launches);
        warn_of_one_launch(*found);
        return text;
    } catch (const std::invalid_argument& error) {
        throw UsageError("reproduce: {}: {}", asked, error.what());
    }
}

/// Returns the program of the form that is wrong, hangs or crashes and has this name; of the first
/// such form if `asked` is empty. Throws UsageError with `why` if there is none.
std::string program_of_named_fault(const Report& report, const std::string& asked, std::string why,
                                   const std::vector<record::Audit>& launches) {
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            const std::string name = each.name + '@' + problem.problem.id;
            const bool is_fault = each.wrong || each.known_to_fail;
            if (!is_fault || (!asked.empty() && asked != name)) continue;
            ReportedContestant fault = each;
            if (!fault.wrong) fault.wrong = fault.known_to_fail;
            try {
                return program_of_fault(report, problem, fault, launches);
            } catch (const std::invalid_argument& error) {
                why = fmt::format("{}: {}", name, error.what());
            }
        }
    }
    throw UsageError("reproduce: " + why);
}

/// Returns the program of the row, check or faulty form that the options name. If they name none,
/// returns the program of the first of these that the audit has:
/// 1. the first row of the first screen,
/// 2. the first new fault of a generated call, shrunk,
/// 3. the first faulty form,
/// 4. a known fault.
std::string program(const Report& report, const std::vector<record::Audit>& launches,
                    const ReproduceOptions& options, const OtherProducts& other_products) {
    if (!options.row.empty())
        return program_of_row(report, row_of_code(report, "--row", options.row), launches);
    if (!options.check.empty()) {
        if (auto text = program_of_named_check(report, options.check, launches)) return *text;
        return program_of_named_fault(
            report, options.check,
            "--check: the audit has no check " + options.check +
                "; checks are named GUIDELINE@PROBLEM, as in its report, and what is wrong "
                "MPI_Gather_init(m)@PROBLEM",
            launches);
    }
    if (!report.overview.empty()) return program_of_row(report, report.overview.front(), launches);
    const auto calls = report.generated_calls.value_or(record::GeneratedCalls{});
    if (!std::ranges::all_of(calls.findings, &record::CallFinding::is_known))
        return program_of_finding(calls, "", &report.header, other_products);
    try {
        return program_of_named_fault(
            report, "", "nothing violated or wrong was found; name a check by --check", launches);
    } catch (const UsageError&) {
        if (calls.findings.empty()) throw;
        return program_of_finding(calls, "", &report.header, other_products);
    }
}

/// Returns the program that the options ask for.
std::string chosen_program(const ReproduceOptions& options, const OtherProducts& other_products) {
    if (!options.call.empty()) other_products.require_checker("--call");
    if (!options.call.empty() && (!options.check.empty() || !options.row.empty()))
        throw UsageError("--call shows a generated call: leave out --check and --row");
    if (!options.check.empty() && !options.row.empty())
        throw UsageError("--row and --check name two programs: leave out one of them");
    if (options.results.empty()) {
        if (options.call.empty())
            throw UsageError(
                "reproduce: name the folder of an audit, or a generated call by --call");
        return other_products.program_of_call(options.call, {}, "mpirun -n 2");
    }
    const std::string search = options.results.front() + "/calls.json";
    if (options.check.empty() && options.row.empty() && options.results.size() == 1 &&
        std::filesystem::exists(search)) {
        const record::GeneratedCalls found = in_file(
            search, [&] { return record::generated_calls_of(parsed_json(read_file(search))); });
        return program_of_finding(found, options.call, nullptr, other_products);
    }
    const std::vector<record::Audit> launches = launches_of(options.results);
    const Report report = make_report(launches);
    if (options.call.empty()) return program(report, launches, options, other_products);
    return program_of_finding(report.generated_calls.value_or(record::GeneratedCalls{}),
                              options.call, &report.header, other_products);
}

}  // namespace

int reproduce(const ReproduceOptions& options, const OtherProducts& other_products) {
    if (!options.output.empty()) check_replaceable(options.output);
    const std::string text = chosen_program(options, other_products);
    if (options.output.empty())
        say("{}", text);
    else
        replace_file(options.output, text);
    return exit_done;
}

}  // namespace mpiaudit
