// SPDX-License-Identifier: BSD-3-Clause
// The text of report.json, and baselines read from such texts: declared in report/report.h and
// report/gate.h.
#include "report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#include "files/files.h"
#include "machine/machine_description.h"
#include "record/json_form.h"
#include "record/json_members.h"
#include "report/console.h"
#include "report/findings.h"
#include "report/gate.h"
#include "report/report_rows.h"
#include "report/scales.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {

template <>
struct JsonValue<judge::Verdict> : JsonByName<judge::Verdict, judge::verdict_names> {};
template <>
struct JsonValue<CheckKind> : JsonByName<CheckKind, kind_names> {};

MPIAUDIT_MEMBERS(judge::MedianInterval, (median, low, high, coverage))
MPIAUDIT_MEMBERS(judge::RuleVerdicts, (evidence, averages, filtered_means, minima))
MPIAUDIT_MEMBERS(Remedy, (contestant, factor, saved_s, left_s, instead_s), (code, caveat))
MPIAUDIT_MEMBERS(FilteredMeans, (checks, violated, evidence_only, means_only))
MPIAUDIT_MEMBERS(VerdictCounts, (checks, violated, holds, undecided, skipped))
MPIAUDIT_MEMBERS(Choice::Algorithm, (name, median_s))
MPIAUDIT_MEMBERS(Choice, (problem, operation, median_s, rank, algorithms))
MPIAUDIT_MEMBERS(FasterSetting,
                 (operation, variables, algorithm, family, factor, saved_s, launches, sentence),
                 (bytes, slower_at_bytes, slower_by))
MPIAUDIT_MEMBERS(ContestantName, (name, operation, label, kind),
                 (implementation, function, start, is_copy))
MPIAUDIT_MEMBERS(OverviewRow::Way, (contestant, time_s))
MPIAUDIT_MEMBERS(Caveat, (is_wrong, problem), (factor))
MPIAUDIT_MEMBERS(Savings, (recorded_s, audited_s, saved_s, low_s, high_s, in_words, problems))

template <>
constexpr auto members_of<Saving> = [](auto& io, auto& saving) {
    MPIAUDIT_REQUIRED(io, saving, problem, collective, calls, recorded_s, library_s)
    if (saving.instead.empty()) return;
    MPIAUDIT_REQUIRED(io, saving, instead, factor, saved_s, low_s, high_s, launches)
};

template <>
constexpr auto members_of<ViolatedRange> = [](auto& io, auto& range) {
    MPIAUDIT_REQUIRED(io, range, operation, distribution, first, last, sizes, guideline, problem,
                      instead, saved_s)
    MPIAUDIT_OPTIONAL(io, range, below, above)
    if (std::isfinite(range.factor)) io.required("factor", range.factor);
};

template <>
struct JsonValue<AdviceKind> : JsonByName<AdviceKind, advice_kinds> {};
MPIAUDIT_MEMBERS(MemoryLoss, (operation, function, when, bytes))

template <>
constexpr auto members_of<Tail> = [](auto& io, auto& tail) {
    MPIAUDIT_REQUIRED(io, tail, operation, contestant, after_pause, calls, long_calls,
                      other_long_calls, usual_s, long_s, share, beside, sentence)
    io.required("log_e", tail.log_e);
};

template <>
constexpr auto members_of<OverviewRow> = [](auto& io, auto& row) {
    MPIAUDIT_REQUIRED(io, row, operation, is_other_form, guideline, problem, kind, instead, takes_s,
                      lost_s, is_per_block, is_clear, sentence, ranges, ways)
    MPIAUDIT_OPTIONAL(io, row, contestant, code, data, caveat, caveats, bytes, low_bytes,
                      high_bytes, is_lowest, is_highest, factor_low, factor_high, instead_s,
                      lacks_program)
    if (row.factor && std::isfinite(*row.factor)) io.required("factor", *row.factor);
};

template <>
constexpr auto members_of<OperationSummary> = [](auto& io, auto& operation) {
    MPIAUDIT_REQUIRED(io, operation, operation, is_other_form)
    members_of<VerdictCounts>(io, operation.counts);
};

template <>
constexpr auto members_of<judge::Summary> = [](auto& io, auto& summary) {
    MPIAUDIT_REQUIRED(io, summary, samples, outliers)
    io.required("mean_s", summary.mean);
    io.required("median_s", summary.median);
    io.required("minimum_s", summary.minimum);
    io.required("maximum_s", summary.maximum);
    io.required("mean_low_s", summary.mean_low);
    io.required("mean_high_s", summary.mean_high);
    io.required("standard_deviation_s", summary.standard_deviation);
    io.required("p90_s", summary.p90);
    io.required("p99_s", summary.p99);
    MPIAUDIT_OPTIONAL(io, summary, long_share)
    if (summary.outliers == 0) return;
    io.required("raw_mean_s", summary.raw_mean);
    if (summary.raw_minimum != summary.minimum) io.required("raw_minimum_s", summary.raw_minimum);
};

/// The members that compare the two sides.
constexpr auto members_of_comparison = [](auto& io, auto& samples) {
    const judge::Judgement& judgement = samples.judgement;
    MPIAUDIT_REQUIRED(io, judgement, verdict, rounds, slower)
    MPIAUDIT_OPTIONAL(io, judgement, decided_at)
    // Under evidence the factor is the median ratio.
    if (std::isfinite(judgement.factor) && judgement.factor != judgement.ratio.median)
        io.required("factor", judgement.factor);
    if (samples.has_ratio() && samples.is_paired) io.required("ratio", judgement.ratio);
    if (samples.has_ratio() && !samples.is_paired)
        io.required("ratio_of_medians", judgement.ratio.median);
    // Readers compute the bounds: ln(checks / alpha) and ln(1 / alpha).
    io.required("evidence.log_e_violated", judgement.log_e_violated);
    io.required("evidence.log_e_holds", judgement.log_e_holds);
};

template <>
constexpr auto members_of<JudgedSamples> = [](auto& io, auto& samples) {
    members_of_comparison(io, samples);
    io.side("left_statistics", samples.judgement.left);
    io.side("right_statistics", samples.judgement.right);
};

template <>
constexpr auto members_of<JudgedLaunch> = [](auto& io, auto& launch) {
    members_of_comparison(io, launch.samples);
    MPIAUDIT_REQUIRED(io, launch, launch)
};

template <>
constexpr auto members_of<JudgedCheck> = [](auto& io, auto& check) {
    if (check.samples) members_of<JudgedSamples>(io, *check.samples);
    if (check.samples) io.required("verdicts", check.samples->judgement.by);
    MPIAUDIT_REQUIRED(io, check, kind, verdict, guideline, problem, left, right)
    MPIAUDIT_OPTIONAL(io, check, reason, depends_on_order, launches_disagree, young_heap, remedy,
                      advice, reproduce)
    if (!check.launches.empty()) io.rows("launches", check.launches, 4);
};

template <>
constexpr auto members_of<ReportedContestant> = [](auto& io, auto& contestant) {
    members_of<record::ContestantDescription>(io, contestant);
    MPIAUDIT_OPTIONAL(io, contestant, statistics)
};

template <>
constexpr auto members_of<ReportedLaunch> = [](auto& io, auto& launch) {
    MPIAUDIT_REQUIRED(io, launch, started, order_seed, checks, elapsed_s, machine)
    if (!launch.confirms) return;
    io.required("confirms.folder", launch.confirms->folder);
    io.required("confirms.started", launch.confirms->started);
    io.required("confirms.order_seed", launch.confirms->order_seed);
    io.rows("confirms.suspects", launch.confirms->suspects);
    io.rows("confirms.controls", launch.confirms->controls);
};

template <>
constexpr auto members_of<ReportedProblem> = [](auto& io, auto& problem) {
    members_of<record::MeasuredProblem>(io, problem);
    MPIAUDIT_REQUIRED(io, problem, rounds)
    io.required("identity", fmt::format("{}", fmt::join(identity_of(problem.problem), " ")));
    io.required("native_s", operation_times(problem));
    io.rows("contestants", problem.contestants, 6);
};

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

/// Returns the members of a contestant that a baseline needs. A report before 2.0 has objects in
/// place of rows.
json contestant_of(const json& contestant, const json& report) {
    if (contestant.is_object()) return contestant;
    json object;
    const json& shape = report.at("shapes").at(contestant.at(0).get<std::size_t>());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const json& cell = contestant.at(i + 1);
        if (shape[i] == "name:text")
            object["name"] = report.at("texts").at(cell.get<std::size_t>());
        else if (shape[i] == "statistics.median_s")
            object["statistics"]["median_s"] = cell;
        else if (shape[i] == "wrong:text")
            object["wrong"] = true;
    }
    return object;
}

/// Takes the median times and the wrong forms from a report. Throws if the report lacks a member.
Baseline baseline_of(const json& report) {
    Baseline baseline;
    for (const json& problem : report.at("problems")) {
        for (const json& row : problem.at("contestants")) {
            const json each = contestant_of(row, report);
            const Way way = parse_way(each.at("name").get<std::string>());
            if (each.contains("statistics"))
                add_time(baseline.times[identity_of(record::description_of(problem))], way,
                         each.at("statistics").at("median_s"));
            if (each.contains("wrong")) baseline.wrong_forms.insert(way.operations());
        }
    }
    if (report.contains("wrong_barrier"))
        baseline.wrong_forms.insert(report.at("wrong_barrier").at("operation"));
    if (report.contains("generated_calls"))
        for (const json& each : report.at("generated_calls").at("findings"))
            baseline.wrong_forms.insert(each.at("call"));
    return baseline;
}

}  // namespace

namespace {

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

/// Returns the line of code of each replacement once, by pair_of(), where all checks of the pair
/// have the same line.
json codes_of(const Report& report) {
    json codes = json::object();
    std::set<std::string> ambiguous;
    for (const JudgedCheck& check : report.checks) {
        if (!check.remedy) continue;
        const auto [known, is_new] = codes.emplace(pair_of(check), check.remedy->code);
        if (*known != check.remedy->code || check.remedy->code.empty())
            ambiguous.insert(pair_of(check));
    }
    for (const std::string& pair : ambiguous) codes.erase(pair);
    return codes;
}

/// Returns findings first, then the other checks, each in their order.
std::string checks_json(const Report& report, RowTables& tables) {
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
    const json codes = codes_of(report);
    std::vector<std::string> findings, others;
    for (std::size_t place = 0; place < report.checks.size(); ++place) {
        const JudgedCheck& check = report.checks[place];
        RowWriter writer(tables);
        writer.beside(of(check, check.left), of(check, check.right));
        members_of<JudgedCheck>(writer, check);
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
    MPIAUDIT_REQUIRED(MemberWriter(object), report, choices, ranges, overview, memory_losses, tails,
                      elapsed_s)
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
    text += checks_json(report, tables);
    if (!report.launches.empty()) text += lines_of("launches", objects_of(report.launches, tables));
    return text + tables.in_json() + "\n}\n";
}

void write_report(const Report& report, const std::string& path) {
    replace_file(path, report_json(report));
}

Baseline read_baseline(const std::string& path) {
    std::filesystem::path file = path;
    std::error_code failure;
    if (std::filesystem::is_directory(file, failure)) file /= "report.json";
    if (!std::filesystem::exists(file, failure))
        throw UsageError("--baseline: there is no report {}", file.string());
    try {
        const JsonDocument document(read_file(file), file.string());
        const json& report = document.value();
        const auto version = report.at("schema_version").get<std::string>();
        if (!version.starts_with("1.") && !version.starts_with("2."))
            throw UsageError(
                "--baseline: {}: its schema_version is {}, this version "
                "of mpiaudit reads 1.x and 2.x: audit again",
                file.string(), version);
        return baseline_of(report);
    } catch (const json::exception& error) {
        // Leaves out the name of the exception, which stands in front in brackets.
        const std::string_view what = error.what();
        throw UsageError("--baseline: {} is no report: {}", file.string(),
                         what.substr(what.find(']') + 2));
    } catch (const std::invalid_argument& error) {
        const std::string_view what = error.what();
        throw UsageError((what.starts_with("--") ? "" : "--baseline: ") + std::string(what));
    }
}

}  // namespace mpiaudit
