// SPDX-License-Identifier: BSD-3-Clause
// The sentences of the first screen.
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
#include "screens/screen.h"
#include "screens/screen_rows.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using enum ScreenLine::Emphasis;

// The order in which lines leave a screen that has no room for all, the largest first. What is
// behind last_on_screen is in files only.
constexpr int finding = 1, doubt = 2, offer = last_on_screen, circumstance = offer + 1,
              detail = offer + 2;

/// The share of decided checks below which a busy machine is the first news.
constexpr double few_decided = 0.5;

/// The number of wrong operations that have a sentence of their own on a screen.
constexpr std::size_t most_wrong = 2;

/// Of the checks that are measured or wait for time, 0 to 1.
double decided_share(const Report& report) {
    std::size_t open = report.summary.undecided;
    for (const JudgedCheck& check : report.checks)
        open += check.kind == CheckKind::verdict && check.verdict == Verdict::skipped &&
                record::is_skipped_by(ReasonKind::no_time, check.reason);
    const std::size_t decided = report.summary.decided();
    return decided + open == 0 ? 1.0
                               : static_cast<double>(decided) / static_cast<double>(decided + open);
}

bool is_busy(const record::Header& header) {
    return std::ranges::any_of(header.machine.hosts, [](const Host& host) {
        return host.conditions && is_shared_with_others(*host.conditions);
    });
}

/// Returns "12 %", and "less than 1 %" rather than "0 %".
std::string percent(double share) {
    if (share > 0.0 && share < 0.01) return "less than 1 %";
    return fmt::format("{:.0f} %", share > 0.99 && share < 1.0 ? 99.0 : 100 * share);
}

/// Returns "2026-11-28 09:00" of "2026-11-28T09:00:12Z".
std::string minute_of(std::string started) {
    std::ranges::replace(started, 'T', ' ');
    constexpr std::size_t minute = std::string_view("2026-11-28 09:00").size();
    return started.substr(0, minute);
}

void add_head(const Report& report, Screen& screen) {
    const std::string minute = minute_of(report.header.started);
    screen.head.push_back({.text = audited_system(report) + launches_of(report) +
                                   (minute.empty() ? "" : ", " + minute)});
    if (!report.is_complete) screen.head.push_back({.text = incomplete_in_words(report)});
    const double share = decided_share(report);
    if (is_busy(report.header) && share < few_decided)
        screen.head.push_back(
            {.text = fmt::format("BUSY: other programs used this machine; {} of the checks are "
                                 "decided. Audit again on a quiet machine, or with a larger "
                                 "--budget",
                                 percent(share))});
    if (const auto messages = messages_in_words(report)) {
        const ScreenLine line{.text = messages->sentence, .rank = circumstance};
        if (messages->are_slow)
            screen.head.push_back({.text = messages->sentence, .most = 3, .emphasis = violation});
        else
            screen.below.push_back(line);
    }
    screen.head.push_back({.text = headline(report)});
    if (const std::string caveat = caveat_of_rule(report); !caveat.empty())
        screen.head.push_back({.text = caveat, .most = 3});
}

/// Returns each fault with the command that shows the fault, then the names of further wrong
/// operations.
std::vector<ScreenLine> wrong_lines(const Report& report, const std::vector<WrongOperation>& all) {
    std::vector<ScreenLine> lines;
    std::vector<std::string> others;
    for (const WrongOperation& each : all) {
        const bool is_shown = lines.size() < most_wrong;
        if (!is_shown) others.push_back(each.operation);
        lines.push_back({.text = "WRONG: " + in_words(each),
                         .rank = is_shown ? 0 : detail,
                         .most = 3,
                         .command = command_of(report, each.forms.front()),
                         .emphasis = violation});
    }
    if (!others.empty())
        lines.push_back({.text = fmt::format("WRONG, too: {}", fmt::join(others, ", ")),
                         .emphasis = violation});
    return lines;
}

std::string right_in_words(const Report& report) {
    if (report.summary.samples == 0 && !report.generated_calls) return "";
    if (!report.generated_calls) return "RIGHT: no wrong result in what was measured";
    const record::GeneratedCalls& calls = *report.generated_calls;
    const auto known = std::ranges::count_if(calls.findings, &record::CallFinding::is_known);
    return fmt::format("RIGHT: no new fault in {} generated calls ({} of {} pairs){}", calls.calls,
                       calls.covered_pairs, calls.valid_pairs,
                       known > 0 ? fmt::format("; {} known", known) : "");
}

void add_results(const Report& report, Screen& screen) {
    const std::vector<ScreenLine> wrong = wrong_lines(report, wrong_operations(report));
    screen.head.insert(screen.head.end(), wrong.begin(), wrong.end());
    if (wrong.empty())
        if (const std::string right = right_in_words(report); !right.empty())
            screen.head.push_back({.text = right});
}

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
             .emphasis = violation});
    }
    if (const auto most = most_memory_taken(report))
        screen.below.push_back({.text = *most, .rank = circumstance, .emphasis = violation});
}

/// Adds what was found beside ratios and wrong results: long calls, late exits, lost memory.
void add_other_findings(const Report& report, Screen& screen) {
    for (const Tail& each : report.tails)
        screen.below.push_back({.text = "TAIL: " + in_words(each),
                                .rank = &each == report.tails.data() ? finding : circumstance,
                                .most = 3,
                                .emphasis = violation});
    if (const auto skew = exit_skew_of(report))
        screen.below.push_back({.text = (skew->is_late ? "SKEW: " : "") + in_words(*skew),
                                .rank = skew->is_late ? finding : detail,
                                .most = 3,
                                .emphasis = skew->is_late ? violation : none});
    add_memory(report, screen);
}

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

/// Adds what has no answer, and what was left out.
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

/// Adds under which conditions the audit ran.
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
             .emphasis = remark});
    add(measured_alone_in_words(report), circumstance);
    add(violations_in_words(report), detail);
    for (const std::string& line : settings::lines(report.header.settings)) add(line, detail);
    add(other_threads_in_words(report.header.machine), detail);
}

/// Adds the command that compares the library's own algorithms for the operations that lose most,
/// unless a running program cannot choose them, or they have been compared.
void add_settings(const Report& report, Screen& screen) {
    const auto rows = rows_with_choice(report);
    if (report.compared_operations.empty()) {
        if (!rows.empty())
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

/// Returns how sure the rows are.
std::string certainty_in_words(const Report& report) {
    const double open = 1.0 - decided_share(report);
    const std::string undecided = open > 0.0 ? fmt::format("; open: {}", percent(open)) : "";
    if (report.header.simulated) return "Sure: a simulation repeats itself exactly" + undecided;
    const Confirmed counts = confirmed(report);
    if (report.launches.empty())
        return report.summary.violated == 0
                   ? "Sure: one launch" + undecided
                   : "Sure: one launch, another may differ (mpiaudit run --confirm FOLDER)" +
                         undecided;
    const Controls controls = controls_of(report);
    std::string text = fmt::format("Sure: {} of {} violations in every launch",
                                   counts.by_every_launch, report.summary.violated);
    if (counts.measured_once > 0) text += fmt::format(" ({} measured once)", counts.measured_once);
    if (controls.measured > 0)
        text += fmt::format(", {} of {} controls failed{}", controls.accused, controls.measured,
                            controls.are_too_many(report.header.rule.alpha)
                                ? " (too many: end other programs, and audit again)"
                                : "");
    return text + undecided;
}

/// Adds the commands that go on from the screen.
void add_foot(const Report& report, const Where& where, Screen& screen) {
    if (report.summary.samples > 0 && report.summary.checks > 0)
        screen.foot.push_back({.text = certainty_in_words(report)});
    if (!where.folder.empty() && !report.overview.empty())
        screen.foot.push_back({.text = "Explain:",
                               .command = fmt::format("{} explain {} S1", shell_word(where.program),
                                                      shell_word(where.folder))});
    if (!where.report.empty()) screen.foot.push_back({.text = where.report});
}

}  // namespace

Screen first_screen(const Report& report, const Where& where) {
    Screen screen;
    add_head(report, screen);
    for (const std::string& each : savings_in_words(report)) screen.head.push_back({.text = each});
    add_results(report, screen);
    add_other_findings(report, screen);
    add_settings(report, screen);
    add_unanswered(report, screen);
    add_circumstances(report, screen);
    add_rows(report, screen);
    add_foot(report, where, screen);
    std::ranges::stable_sort(screen.below, {}, &ScreenLine::rank);
    return screen;
}

std::vector<ScreenLine> lines_of_generated_calls(const Report& report) {
    if (!report.generated_calls) return {};
    std::vector<WrongOperation> wrong = wrong_operations(report);
    std::erase_if(wrong,
                  [](const WrongOperation& each) { return each.forms.front().generated.empty(); });
    std::vector<ScreenLine> lines = wrong_lines(report, wrong);
    if (wrong.empty()) lines.push_back({.text = right_in_words(report)});
    lines.push_back({.text = generated_calls_in_words(report), .rank = detail});
    if (const std::string known = known_faults_in_words(report); !known.empty())
        lines.push_back({.text = known, .rank = detail});
    return lines;
}

}  // namespace mpiaudit
