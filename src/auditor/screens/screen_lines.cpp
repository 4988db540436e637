// SPDX-License-Identifier: BSD-3-Clause
// The sentences of the first screen beside its answer.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "answer/answer.h"
#include "machine/machine.h"
#include "repeat/commands.h"
#include "report/certainty.h"
#include "report/findings.h"
#include "report/overview_rows.h"
#include "report/wrong_results.h"
#include "screens/console.h"
#include "screens/screen_lines.h"
#include "screens/screen_rows.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {

using judge::Verdict;

namespace {

/// Returns "112" or "112 to 464".
std::string from_to(double least, double most) {
    const std::string low = fmt::format("{:.0f}", least), high = fmt::format("{:.0f}", most);
    return low == high ? low : low + " to " + high;
}

/// Adds a line about memory that calls lose, for each cause, and the call that takes most memory
/// beside the data.
void add_memory(const Report& report, Screen& screen) {
    std::map<std::string, std::vector<const MemoryLoss*>> causes;
    for (const MemoryLoss& each : report.memory_losses) causes[each.when].push_back(&each);
    for (const auto& [when, losses] : causes) {
        const auto [least, most] =
            std::ranges::minmax_element(losses, {}, [](const auto* each) { return each->bytes; });
        const bool is_one = losses.size() == 1;
        const std::string who = is_one            ? losses.front()->function
                                : when == at_free ? counted(losses.size(), "persistent operation")
                                                  : counted(losses.size(), "operation");
        screen.below.push_back(
            {.text = fmt::format("MEMORY: {} {} {} bytes {}", who, is_one ? "loses" : "lose",
                                 from_to((*least)->bytes, (*most)->bytes), when),
             .rank = finding,
             .emphasis = ScreenLine::Emphasis::violation});
    }
    if (const auto most = most_memory_taken(report))
        screen.below.push_back(
            {.text = *most, .rank = circumstance, .emphasis = ScreenLine::Emphasis::violation});
}

}  // namespace

void add_other_findings(const Report& report, Screen& screen) {
    for (const Tail& each : report.tails)
        screen.below.push_back({.text = "TAIL: " + in_words(each),
                                .rank = &each == report.tails.data() ? finding : circumstance,
                                .most = 3,
                                .emphasis = ScreenLine::Emphasis::violation});
    if (const auto skew = exit_skew_of(report))
        screen.below.push_back({.text = (skew->is_late ? "SKEW: " : "") + in_words(*skew),
                                .rank = skew->is_late ? finding : detail,
                                .most = 3,
                                .emphasis = skew->is_late ? ScreenLine::Emphasis::violation
                                                          : ScreenLine::Emphasis::none});
    add_memory(report, screen);
}

namespace {

/// Returns a sentence about the order of calls that explains most checks. Each check has its own
/// reason in report.json.
std::string effects_of_order(const Report& report) {
    std::map<std::string, std::size_t> checks;
    for (const JudgedCheck& check : report.checks)
        if (check.depends_on_order && check.kind == CheckKind::verdict)
            ++checks[check.reason_in_words()];
    if (checks.empty()) return "";
    const auto most =
        std::ranges::max_element(checks, {}, [](const auto& each) { return each.second; });
    const std::size_t others = checks.size() - 1;
    return fmt::format("No violation: {} ({}){}", most->first, counted(most->second, "check"),
                       others > 0 ? fmt::format("; {} more such in report.json", others) : "");
}

/// Returns the calls that are left out for a reason of this kind, each with its first reason.
std::vector<std::string> left_out_since(ReasonKind kind, const Report& report) {
    std::vector<std::string> names, calls;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (!record::is_skipped_by(kind, each.skipped)) continue;
            if (is_among(names, each.name)) continue;
            names.push_back(each.name);
            calls.push_back(fmt::format("{} ({})", each.name, each.skipped->said));
        }
    }
    return calls;
}

/// Returns why checks have no verdict. These checks and the decided checks are all checks.
std::string undecided_in_words(const Report& report) {
    std::size_t late = 0, left_out = 0, close = report.summary.undecided;
    std::vector<std::string> why_unfit;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind == CheckKind::verdict && check.depends_on_order) --close;
        if (check.kind != CheckKind::verdict || check.verdict != Verdict::skipped) continue;
        if (record::is_skipped_by(ReasonKind::no_time, check.reason))
            ++late;
        else if (record::is_skipped_by(ReasonKind::slower_reference, check.reason))
            ++left_out;
        else
            why_unfit.push_back(check.reason_in_words());
    }
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, const std::string& why) {
        if (count > 0) parts.push_back(fmt::format("{} {}", count, why));
    };
    add(close, "too close or too noisy");
    add(report.summary.undecided - close, "depend on the order of calls");
    add(late, "for lack of time (--budget)");
    add(left_out, "predicted to be slow");
    // A user without any answer has to know why.
    const bool has_answer = report.summary.decided() > 0 || why_unfit.empty();
    add(why_unfit.size(),
        "not applicable" + (has_answer ? "" : fmt::format(" ({})", why_unfit.front())));
    if (late + left_out + report.summary.undecided == 0 && has_answer) return "";
    return fmt::format("Not decided: {}", fmt::join(parts, ", "));
}

}  // namespace

void add_unanswered(const Report& report, Screen& screen) {
    const auto add = [&](const std::string& text, int rank, std::size_t most = 2) {
        if (!text.empty()) screen.below.push_back({.text = text, .rank = rank, .most = most});
    };
    const auto add_calls = [&](const char* why, ReasonKind kind) {
        const std::vector<std::string> calls = left_out_since(kind, report);
        if (!calls.empty()) add(fmt::format("{}{}", why, fmt::join(calls, ", ")), doubt, 3);
    };
    const bool is_all = report.summary.checks > 0 && report.summary.decided() == 0;
    add(undecided_in_words(report), is_all ? 0 : circumstance, 3);
    add_calls("Left out, because their simulation takes too long: ",
              ReasonKind::too_slow_to_simulate);
    add_calls("Left out, because the simulated library fails in ", ReasonKind::fails_in_simulation);
    add(effects_of_order(report), detail);
    add(generated_calls_in_words(report), detail);
    for (const std::string& each : untested_forms(report)) add(each, doubt);
    add(known_faults_in_words(report), detail);
    if (!report.header.not_audited.empty())
        add(fmt::format("Not audited, since no guideline asks for it: {}",
                        fmt::join(report.header.not_audited, ", ")),
            detail);
}

void add_circumstances(const Report& report, Screen& screen) {
    const auto add = [&](const std::string& text, int rank) {
        if (!text.empty()) screen.below.push_back({.text = text, .rank = rank});
    };
    for (const std::string& each : report.header.warnings)
        add("warning: " + each, &each == report.header.warnings.data() ? doubt : circumstance);
    const VerdictCounts& counts = report.summary.remarks;
    if (counts.violated > 0)
        screen.below.push_back(
            {.text = fmt::format("~ {} of {} found a reference algorithm slow, not the library",
                                 counts.violated, counted(counts.decided(), "check")),
             .rank = report.summary.checks == 0 ? finding : detail,
             .emphasis = ScreenLine::Emphasis::remark});
    add(measured_alone_in_words(report), circumstance);
    add(violations_in_words(report), detail);
    for (const std::string& line : settings::lines(report.header.settings)) add(line, detail);
    add(other_threads_in_words(report.header.machine), detail);
}

void add_settings(const Report& report, Screen& screen) {
    const auto rows = rows_with_choice(report);
    if (report.compared_operations.empty()) {
        if (!rows.empty() && ranks_without_cores(report.header).empty() &&
            decided_share(report) >= few_decided)
            screen.below.push_back(
                {.text = "To look for a setting of the library that chooses a faster algorithm:",
                 .rank = offer,
                 .command =
                     fmt::format("{} --algorithms {}", start_of_command(report.header, "run"),
                                 operations_of_rows(report, rows))});
        return;
    }
    std::vector<std::string> operations;
    for (const OverviewRow& row : report.overview) operations.push_back(row.operation);
    for (const FasterSetting& each : report.faster_settings)
        if (!is_among(operations, each.operation))
            screen.below.push_back(
                {.text = in_words(each), .rank = finding, .command = each.variables});
    if (report.faster_settings.empty())
        screen.below.push_back({.text = faster_settings_in_words(report).front(), .rank = detail});
}

}  // namespace mpiaudit
