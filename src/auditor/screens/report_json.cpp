// SPDX-License-Identifier: BSD-3-Clause
// The text of report.json, declared in report/report.h.
#include "report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "answer/answer.h"
#include "files/files.h"
#include "machine/machine_description.h"
#include "record/json_members.h"
#include "report/findings.h"
#include "report/gate.h"
#include "screens/console.h"
#include "screens/report_json.h"
#include "screens/report_members.h"
#include "screens/report_rows.h"
#include "screens/scales.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

/// Counts, and the sentences that the pages and tables of analysis/ show.
json summary_json(const Report& report) {
    const ReportSummary& summary = report.summary;
    json object = static_cast<const VerdictCounts&>(summary);
    object["library"] = library_name(report.header.mpi.library);
    object["audited"] = audited_system(report);
    object["headline"] = headline(report);
    object["launches_in_words"] = launches_of(report);
    object["violations_in_words"] = violations_in_words(report);
    object["assurance"] = assurance_in_words(report);
    object["generated_calls_in_words"] = generated_calls_in_words(report);
    object["remarks_in_words"] = remarks_in_words(report);
    object["filtered_means_in_words"] = filtered_means_in_words(report);
    if (!report.is_complete) object["incomplete"] = incomplete_in_words(report);
    object["other_findings"] = other_findings(report);
    object["remarks"] = summary.remarks;
    MPIAUDIT_REQUIRED(MemberWriter(object), summary, wrong, samples, fixed_protocol_samples)
    MPIAUDIT_OPTIONAL(MemberWriter(object), summary, launches_disagree, measured_alone)
    if (summary.filtered_means.checks > 0) object["filtered_means"] = summary.filtered_means;
    return object;
}

json overview_json(const ReportInWords& answer) {
    json rows = json::array();
    for (const OverviewRow& row : answer.report().overview) {
        rows.push_back(row);
        MemberWriter writer(rows.back());
        members_of<RowInWords>(writer, answer.of(row));
    }
    return rows;
}

/// Returns a member of the report with a line for each element.
std::string lines_of(const char* key, const std::vector<std::string>& elements) {
    std::string text = fmt::format(",\n \"{}\": [", key);
    for (const std::string& each : elements)
        text += (&each == elements.data() ? "\n" : ",\n") + each;
    return text + (elements.empty() ? "]" : "\n ]");
}

template <class T>
std::vector<std::string> objects_of(const std::vector<T>& list, RowTables& tables) {
    std::vector<std::string> objects;
    for (const T& each : list) {
        RowWriter writer(tables);
        members_of<T>(writer, each);
        objects.push_back(writer.object());
    }
    return objects;
}

/// Returns true for checks that people look for in the file: these are written as objects.
bool is_finding(const JudgedCheck& check) {
    return check.verdict == judge::Verdict::violated || check.verdict == judge::Verdict::undecided;
}

std::string pair_of(const JudgedCheck& check) {
    return check.left + " -> " + check.remedy->contestant;
}

/// Returns the code of each replacement once, by pair_of(), where all checks of the pair have the
/// same code.
json codes_of(const ReportInWords& answer) {
    json codes = json::object();
    std::set<std::string> ambiguous;
    for (const JudgedCheck& check : answer.report().checks) {
        if (!check.remedy) continue;
        const std::string& code = answer.of(check).code;
        const auto [known, is_new] = codes.emplace(pair_of(check), code);
        if (*known != code || code.empty()) ambiguous.insert(pair_of(check));
    }
    for (const std::string& pair : ambiguous) codes.erase(pair);
    return codes;
}

/// Returns findings first, then the other checks, each in their order.
std::string checks_json(const ReportInWords& answer, RowTables& tables) {
    const Report& report = answer.report();
    std::map<std::pair<std::string_view, std::string_view>, const judge::Summary*> statistics;
    for (const ReportedProblem& problem : report.problems)
        for (const ReportedContestant& each : problem.contestants) {
            if (!each.statistics) continue;
            // A name may stand between several layouts: a reader could not tell which statistics
            // are meant.
            const auto [known, is_new] =
                statistics.try_emplace({problem.problem.id, each.name}, &*each.statistics);
            if (!is_new) known->second = nullptr;
        }
    const auto of = [&](const JudgedCheck& check, const std::string& name) {
        const auto found = statistics.find({check.problem, name});
        return found == statistics.end() ? nullptr : found->second;
    };
    const json codes = codes_of(answer);
    std::vector<std::string> findings, others;
    for (std::size_t place = 0; place < report.checks.size(); ++place) {
        const JudgedCheck& check = report.checks[place];
        RowWriter writer(tables);
        writer.beside(of(check, check.left), of(check, check.right));
        const WrittenCheck written{check, answer.of(check)};
        members_of<WrittenCheck>(writer, written);
        if (!is_finding(check)) {
            others.push_back(writer.row());
            continue;
        }
        writer.required("place", place);
        if (check.remedy && codes.contains(pair_of(check))) writer.drop("remedy.code");
        findings.push_back(writer.object());
    }
    return lines_of("checks", findings) + ",\n \"codes\": " + json_text(codes, 1) +
           lines_of("other_checks", others);
}

}  // namespace

std::string scaling_json(std::span<const ScaleReport> scales, const std::string& folder) {
    std::string text = fmt::format(
        "{{\n \"kind\": \"mpiaudit scaling\",\n \"schema_version\": \"{}\",\n "
        "\"reports\": [",
        record::schema_version);
    for (const ScaleReport& each : scales) {
        json folders = json::array();
        for (const std::string& launch : each.folders)
            folders.push_back(std::filesystem::proximate(launch, folder).string());
        // The members of the report follow its opening bracket.
        text += fmt::format("{}{{\n \"folders\": {},{}", &each == scales.data() ? "\n" : ",\n",
                            json_text(folders, -1), report_json(each.report).substr(1));
    }
    return text + "\n ]\n}\n";
}

std::string report_json(const Report& report) {
    json object = report.header;
    const RankPlacement placement = placement_of(report.header.machine.hosts);
    object["machine"]["placement"] = {{"hosts", placement.hosts},
                                      {"least_ranks", placement.least_ranks},
                                      {"most_ranks", placement.most_ranks},
                                      {"order", name(placement.order)}};
    if (report.machine_after) object["machine"]["after"] = *report.machine_after;
    object["complete"] = report.is_complete;
    MPIAUDIT_REQUIRED(MemberWriter(object), report, choices, ranges, memory_losses, tails,
                      elapsed_s)
    const ReportInWords answer(report);
    object["overview"] = overview_json(answer);
    MPIAUDIT_OPTIONAL(MemberWriter(object), report, savings, compared_operations, faster_settings)
    if (report.wrong_barrier) object["wrong_barrier"] = *report.wrong_barrier;
    if (report.generated_calls) object["generated_calls"] = *report.generated_calls;
    object["operations"] = summaries_of_operations(report);
    object["summary"] = summary_json(report);
    std::string text = json_text(object, 1);
    text.resize(text.rfind("\n}"));
    RowTables tables;
    // The most frequent texts get the shortest numbers.
    for (const char* frequent : {"holds", "verdict", "violated", "skipped", "undecided"})
        tables.place_of(frequent);
    text += lines_of("names", objects_of(contestant_names(report), tables));
    text += lines_of("problems", objects_of(report.problems, tables));
    text += checks_json(answer, tables);
    if (!report.launches.empty()) text += lines_of("launches", objects_of(report.launches, tables));
    return text + tables.in_json() + "\n}\n";
}

void write_report(const Report& report, const std::string& path) {
    replace_file(path, report_json(report));
}

}  // namespace mpiaudit
