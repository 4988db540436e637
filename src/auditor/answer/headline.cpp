// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "answer/answer.h"
#include "machine/machine_description.h"
#include "mpi/environment.h"
#include "repeat/commands.h"
#include "report/certainty.h"
#include "report/overview_rows.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {

namespace {

/// Returns how many blocking operations and how many other forms have a row, of those with an
/// answer.
std::string slow_in_words(const Report& report) {
    std::size_t decided[2] = {}, slow[2] = {}, small = 0, unconfirmed = 0;
    for (const OperationSummary& each : summaries_of_operations(report))
        decided[each.is_other_form] += each.counts.decided() > 0;
    for (const OverviewRow& row : report.overview) {
        if (is_small(row))
            ++(row.worst || row.instead_s ? small : unconfirmed);
        else
            ++slow[row.is_other_form];
    }
    std::vector<std::string> parts;
    for (const std::size_t kind : {0U, 1U}) {
        if (decided[kind] == 0) continue;
        const char* const what = kind == 0 ? "blocking operation" : "other form";
        parts.push_back(fmt::format("{} of {}",
                                    slow[kind] > 0 ? std::to_string(slow[kind]) : "none",
                                    counted(decided[kind], what)));
    }
    std::string text = fmt::format(
        "SLOW{}: {}", decided_share(report) < few_decided ? " so far" : "", fmt::join(parts, ", "));
    if (small > 0) text += fmt::format("; {} barely (--all)", small);
    if (unconfirmed > 0) text += fmt::format("; {} by this rule alone", unconfirmed);
    return text;
}

}  // namespace

std::string incomplete_in_words(const Report& report) {
    const auto measured = std::ranges::count_if(
        report.problems, [](const auto& each) { return !each.problem.chosen; });
    return fmt::format("The audit is not complete: {} of {} problems measured.", measured,
                       report.header.planned_problems);
}

std::string headline(const Report& report) {
    const ReportSummary& summary = report.summary;
    if (summary.checks == 0)
        return summary.remarks.checks > 0
                   ? "No check of this audit is about the library."
                   : "The audit has no checks: it measured implementations and compared none.";
    if (summary.samples == 0) return "Nothing was measured: no check has a verdict.";
    if (is_nothing_decided(report))
        return fmt::format("Nothing was decided: none of {} has a verdict.",
                           counted(summary.checks, "check"));
    // Counts decided checks only: undecided checks are not known to hold.
    if (const std::size_t open = summary.checks - summary.decided();
        summary.violated == 0 && open > 0)
        return fmt::format("No violated guideline in {}; {} more {} no verdict.",
                           counted(summary.decided(), "decided check"), open,
                           open == 1 ? "has" : "have");
    if (summary.violated == 0)
        return fmt::format("None of {} found a violated guideline.",
                           counted(summary.checks, "check"));
    if (const std::string crowded = ranks_without_cores(report.header); !crowded.empty())
        return fmt::format("No usable times: {} wait for a turn. Start no more ranks than cores.",
                           crowded);
    return slow_in_words(report);
}

namespace {

/// Returns " on 2 nodes", and how the ranks lie if not in blocks of equal size: " on 2 nodes
/// (cyclic)", " on 3 nodes (irregular, 1 to 2 ranks each)". Empty for one node.
std::string nodes_in_words(const MachineDescription& machine) {
    const RankPlacement placement = placement_of(machine.hosts);
    if (placement.hosts < 2) return "";
    std::string text = fmt::format(" on {} nodes", placement.hosts);
    if (placement.order == RankOrder::block) return text;
    if (placement.least_ranks == placement.most_ranks)
        return text + fmt::format(" ({})", name(placement.order));
    return text + fmt::format(" ({}, {} to {} ranks each)", name(placement.order),
                              placement.least_ranks, placement.most_ranks);
}

/// Returns the options that change what is measured, if they differ from the defaults.
std::string conditions_in_words(const record::Header& header) {
    std::string text;
    const std::string judge = text_of(option_in(header.options, "judge"));
    const bool is_judged_by_evidence = judge.empty() || judge == "evidence";
    for (const char* name : {"arrivals", "buffers", "heap"}) {
        const std::string value = text_of(option_in(header.options, name));
        const std::string usual = text_of(option_in(header.default_options, name));
        if (value.empty() || usual.empty() || value == usual) continue;
        // A rule of judging sets these values, too: they are not the user's choice.
        const bool is_chosen = value != "free" && (value != "same" || is_judged_by_evidence);
        if (is_chosen) text += fmt::format(", --{} {}", name, value);
    }
    return text;
}

}  // namespace

std::string launches_of(const Report& report) {
    if (report.header.simulated) return "";
    return report.launches.empty() ? ", single launch"
                                   : fmt::format(", {} launches", report.launches.size());
}

std::string audited_system(const Report& report) {
    const MachineDescription& machine = report.header.machine;
    const std::string crowded = machine.hosts.size() == 1 ? ranks_without_cores(report.header) : "";
    const std::string launched =
        report.header.launch_ranks ? fmt::format("{} of ", machine.ranks) : "";
    const int ranks = ranks_of_launch(report.header);
    return fmt::format("{}, {}{}{}{}{}", library_name(report.header.mpi.library), launched,
                       crowded.empty() ? counted(static_cast<std::size_t>(ranks), "rank") : crowded,
                       nodes_in_words(machine), report.header.simulated ? ", simulated" : "",
                       conditions_in_words(report.header));
}

std::string place_of(const Report& report, const std::string& problem) {
    const ReportedProblem* found = find_problem(report, problem);
    if (found == nullptr) return problem;
    const record::ProblemDescription& about = found->problem;
    return fmt::format("{} ({})", problem, bytes_text(about.total * about.element_bytes));
}

}  // namespace mpiaudit
