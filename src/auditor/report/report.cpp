// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "messages/under_test.h"
#include "options/option_table.h"
#include "report/caveats.h"
#include "report/findings.h"
#include "report/judged_check.h"
#include "report/overview_rows.h"
#include "report/tails.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using record::ProblemRecord;
using Launches = std::span<const record::Audit>;

// Repetitions of each contestant in the protocol of Träff 2017.
constexpr std::size_t fixed_protocol_repetitions = 75;

/// The measurements of one problem, in the order of the launches.
using Measurements = std::vector<const ProblemRecord*>;

/// Returns the contestant of a launch that is the same way as `wanted`; null if the launch has none
/// with samples.
const record::Contestant* measured_in(const ProblemRecord& problem,
                                      const record::Contestant& wanted) {
    const record::Contestant* const same = same_way_in(problem.contestants, wanted);
    return same == nullptr || same->samples_s.empty() ? nullptr : same;
}

/// Returns the launches that measured every contestant of the first launch. A confirmation measures
/// few contestants at its own speed, so its times cannot be compared with times of other
/// contestants.
Measurements complete_measurements(const Measurements& measurements) {
    Measurements complete;
    for (const ProblemRecord* each : measurements) {
        const bool is_complete = std::ranges::all_of(
            measurements.front()->contestants, [&](const record::Contestant& wanted) {
                return wanted.samples_s.empty() || measured_in(*each, wanted) != nullptr;
            });
        if (is_complete) complete.push_back(each);
    }
    return complete;
}

std::optional<judge::Summary> statistics_of(const Measurements& measurements,
                                            const record::Contestant& wanted,
                                            judge::Outliers outliers) {
    std::vector<judge::Summary> launches;
    for (const ProblemRecord* each : measurements) {
        if (const record::Contestant* const found = measured_in(*each, wanted))
            launches.push_back(judge::describe(found->samples_s, outliers));
    }
    if (launches.empty()) return std::nullopt;
    return judge::over_launches(launches);
}

/// Joins the measurements of one problem: adds rounds and seconds up, and summarises the times of
/// each contestant over the launches. A contestant that is wrong in one launch is wrong and has no
/// statistics.
ReportedProblem reported(const Measurements& measurements, judge::Outliers outliers) {
    const ProblemRecord& first = *measurements.front();
    ReportedProblem problem;
    static_cast<record::MeasuredProblem&>(problem) = first;
    problem.elapsed_s = 0;
    for (const ProblemRecord* each : measurements) {
        problem.rounds += each->order.size();
        problem.elapsed_s += each->elapsed_s;
    }
    const Measurements complete = complete_measurements(measurements);
    for (const record::Contestant& each : first.contestants) {
        ReportedContestant& contestant = problem.contestants.emplace_back();
        static_cast<record::ContestantDescription&>(contestant) = each;
        // A result that is wrong in any launch is wrong.
        for (const ProblemRecord* other : measurements) {
            const record::Contestant* const same = same_way_in(other->contestants, each);
            if (!contestant.wrong && same != nullptr) contestant.wrong = same->wrong;
        }
        if (contestant.wrong) continue;
        contestant.statistics = statistics_of(complete, each, outliers);
        // The first launch had no time for the contestant.
        if (!contestant.statistics)
            contestant.statistics = statistics_of(measurements, each, outliers);
    }
    return problem;
}

/// Adds the warnings that are not known yet.
void add_warnings(std::vector<std::string>& known, const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
        if (!is_among(known, warning)) known.push_back(warning);
}

/// Warns of a resumed audit that went on with other hosts.
void warn_of_other_hosts(const ProblemRecord& problem, record::Header& header) {
    if (!problem.continued || problem.continued->hosts == header.host_names()) return;
    header.warnings.push_back(
        fmt::format("the audit went on with {} on other hosts ({}): compare its problems with care",
                    problem.problem.id, fmt::join(problem.continued->hosts, ", ")));
}

void count_samples(const ProblemRecord& problem, ReportSummary& summary) {
    for (const record::Contestant& each : problem.contestants) {
        if (each.samples_s.empty()) continue;
        summary.samples += each.samples_s.size();
        summary.fixed_protocol_samples += fixed_protocol_repetitions;
    }
}

void compare_rules(const JudgedCheck& check, FilteredMeans& counts) {
    if (check.kind != CheckKind::verdict || !check.samples) return;
    const judge::RuleVerdicts& by = check.samples->judgement.by;
    const bool by_evidence = by.evidence == Verdict::violated;
    const bool by_means = by.filtered_means == Verdict::violated;
    ++counts.checks;
    counts.violated += by_means;
    counts.evidence_only += by_evidence && !by_means;
    counts.means_only += by_means && !by_evidence;
}

std::size_t number_of_wrong(const Report& report) {
    std::size_t number = report.wrong_barrier ? 1 : 0;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) number += each.wrong.has_value();
    }
    if (report.generated_calls)
        number += static_cast<std::size_t>(std::ranges::count(
            report.generated_calls->findings, false, &record::CallFinding::is_known));
    return number;
}

/// Counts checks by verdict, samples and disagreements. Checks that are remarks count apart.
ReportSummary summary_of(const std::vector<JudgedCheck>& checks, Launches launches) {
    ReportSummary summary;
    if (launches.size() > 1) summary.launches_disagree = 0;
    for (const JudgedCheck& check : checks) {
        VerdictCounts& counts = check.kind == CheckKind::verdict ? summary : summary.remarks;
        counts.add(check.verdict);
        compare_rules(check, summary.filtered_means);
        if (check.launches_disagree) ++*summary.launches_disagree;
    }
    for (const ProblemRecord& problem : problems_of(launches)) count_samples(problem, summary);
    NameSet measured_alone;
    for (const record::Audit& launch : launches)
        measured_alone.insert(launch.measured_alone.begin(), launch.measured_alone.end());
    if (!measured_alone.empty()) summary.measured_alone = measured_alone.size();
    return summary;
}

std::map<std::string_view, Measurements> measurements_by_problem(Launches launches) {
    std::map<std::string_view, Measurements> all;
    for (const ProblemRecord& problem : problems_of(launches))
        all[problem.problem.id].push_back(&problem);
    return all;
}

/// Returns the checks of every launch by problem and guideline, for fast access in large audits.
using CheckPlace = std::pair<std::string_view, std::string_view>;
std::map<CheckPlace, std::vector<MeasuredCheck>> measured_checks(Launches launches) {
    std::map<CheckPlace, std::vector<MeasuredCheck>> all;
    int number = 0;
    for (const record::Audit& launch : launches) {
        const std::uint64_t seed = launch.header.order_seed();
        const int checks = std::max(1, launch.header.rule.checks);
        ++number;
        for (const ProblemRecord& problem : launch.problems) {
            for (const record::Check& check : problem.checks)
                all[{problem.problem.id, check.guideline}].push_back(
                    {&problem, &check, seed, checks, number, launch.header.confirms.has_value()});
        }
    }
    return all;
}

std::vector<ReportedLaunch> reported_launches(Launches launches) {
    std::vector<ReportedLaunch> all;
    for (const record::Audit& launch : launches) {
        const record::Header& header = launch.header;
        all.push_back({header.started, header.order_seed(), header.rule.checks, 0, header.machine,
                       header.confirms});
        for (const ProblemRecord& problem : launch.problems)
            all.back().elapsed_s += problem.elapsed_s;
    }
    return all;
}

/// Returns true if each contestant was measured many times before the next one (--in-a-row).
bool is_in_a_row(const record::Header& header) {
    return option_in(header.options, "in-a-row") == OptionValue(true);
}

/// Returns the generated calls of the launch with the most pairs, with the faults of all launches;
/// nothing if no launch has any.
std::optional<record::GeneratedCalls> joined_calls(std::span<const record::Audit> launches) {
    std::optional<record::GeneratedCalls> joined;
    std::vector<record::CallFinding> findings;
    for (const record::Audit& launch : launches) {
        const auto& own = launch.generated_calls;
        if (!own) continue;
        if (!joined || own->covered_pairs > joined->covered_pairs) joined = own;
        for (const record::CallFinding& each : own->findings)
            if (find_in(findings, each.call, &record::CallFinding::call) == nullptr)
                findings.push_back(each);
    }
    if (joined) joined->findings = std::move(findings);
    return joined;
}

/// Returns a report without problems, checks and their consequences.
Report head_of_report(Launches launches, const judge::Rule& rule) {
    Report report;
    report.header = launches.front().header;
    report.header.schema_version = record::schema_version;
    // Reports the number of planned checks, even if alpha was divided by another number.
    const int checks = report.header.rule.checks;
    static_cast<judge::Rule&>(report.header.rule) = rule;
    report.header.rule.checks = checks;
    report.is_complete = std::ranges::all_of(launches, &record::Audit::is_complete);
    for (const record::Audit& launch : launches)
        if (const auto times = message_times(launch.header)) report.message_times.push_back(*times);
    if (launches.size() > 1) report.launches = reported_launches(launches);
    std::vector<std::string>& warnings = report.header.warnings;
    // Warnings about the measurement come before warnings that were known in advance.
    const std::vector<std::string> of_windows = warnings_of_windows(launches);
    warnings.insert(warnings.begin(), of_windows.begin(), of_windows.end());
    if (auto of_pace = warning_of_pace(launches))
        warnings.insert(warnings.begin(), std::move(*of_pace));
    if (report.header.clock.global)
        report.header.clock.global->worst_error_s = worst_clock_error_s(launches);
    for (const record::Audit& launch : launches) {
        add_warnings(warnings, launch.header.warnings);
        for (const record::End& end : launch.ends) add_warnings(warnings, end.machine.warnings);
    }
    for (const record::Audit& launch : launches) {
        const auto* const incident =
            find_in(launch.incidents, under_test::name_of_barrier, &record::Incident::operation);
        if (incident != nullptr && !incident->is_unclear) report.wrong_barrier = *incident;
    }
    report.generated_calls = joined_calls(launches);
    if (!launches.front().ends.empty()) report.machine_after = launches.front().ends.back().machine;
    return report;
}

/// Returns the problems by distribution and block size. The audit measured the most informative
/// problem first.
Measurements in_listed_order(const record::Audit& audit) {
    std::map<std::string_view, std::size_t> places;
    for (const auto& each : audit.header.distributions)
        places.try_emplace(each.name, places.size());
    Measurements problems;
    for (const ProblemRecord& each : audit.problems) problems.push_back(&each);
    std::ranges::stable_sort(problems, {}, [&](const ProblemRecord* each) {
        const auto place = places.find(each->problem.distribution);
        return std::pair(place == places.end() ? places.size() : place->second,
                         each->problem.block_size);
    });
    return problems;
}

/// Returns the options with the rule that judges, which may differ from the rule of the audit.
OptionValues judged_options(const record::Header& header, const judge::Rule& rule) {
    OptionValues options = header.options;
    for (const OptionRow<judge::Rule>& row : rule_rows()) {
        if (row.member.record(rule) != row.member.record(header.rule))
            set_option(options, row.name, row.member.record(rule));
    }
    return options;
}

}  // namespace

Report make_report(const record::Audit& audit, const judge::Rule& rule) {
    return make_report(std::span(&audit, 1), rule);
}

Report make_report(Launches launches) {
    return make_report(launches, launches.front().header.rule);
}

Report make_report(Launches launches, judge::Rule rule) {
    const record::Header& header = launches.front().header;
    // Launches with different budgets have different numbers of checks.
    rule.checks = 1;
    for (const record::Audit& each : launches)
        rule.checks = std::max(rule.checks, each.header.rule.checks);
    rule.deterministic = header.simulated;
    rule.is_paired = !is_in_a_row(header);
    Report report = head_of_report(launches, rule);
    const auto checks = measured_checks(launches);
    const auto measurements = measurements_by_problem(launches);
    const NameSet references = reference_names(header.implementations);
    report.judged_options = judged_options(header, rule);
    const WaySet wrong = wrong_ways(launches);
    for (const ProblemRecord* const each : in_listed_order(launches.front())) {
        const ProblemRecord& problem = *each;
        report.problems.push_back(reported(measurements.at(problem.problem.id), rule.outliers));
        warn_of_other_hosts(problem, report.header);
        report.elapsed_s += report.problems.back().elapsed_s;
        for (const record::Check& check : problem.checks) {
            const auto& measured = checks.at({problem.problem.id, check.guideline});
            JudgedCheck judged = judged_check(measured, rule);
            judged.kind = kind_of(problem.contestants[check.left], references);
            if (judged.is_violation()) judged.remedy = find_remedy(measured, rule, judged, wrong);
            report.checks.push_back(std::move(judged));
        }
    }
    report.choices = choices(report.problems);
    report.ranges = ranges_of(report);
    report.overview = overview_rows(report);
    for (OverviewRow& row : report.overview) row.lacks_program = !has_program(report, row);
    report.memory_losses = memory_losses_of(report);
    report.tails = tails_of(launches, rule);
    report.savings = savings_of(report);
    report.summary = summary_of(report.checks, launches);
    report.summary.wrong = number_of_wrong(report);
    return report;
}

}  // namespace mpiaudit
