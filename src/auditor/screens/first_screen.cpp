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
#include "screens/screen_lines.h"
#include "screens/screen_rows.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;
using enum ScreenLine::Emphasis;

/// The number of wrong operations that have a sentence of their own on a screen.
constexpr std::size_t most_wrong = 2;

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
    return fmt::format("RIGHT: no new fault in {} generated calls{}", calls.calls,
                       known > 0 ? fmt::format("; {} known in this version",
                                               counted(static_cast<std::size_t>(known), "fault"))
                                 : "");
}

void add_results(const Report& report, Screen& screen) {
    const std::vector<ScreenLine> wrong = wrong_lines(report, wrong_operations(report));
    screen.head.insert(screen.head.end(), wrong.begin(), wrong.end());
    if (wrong.empty())
        if (const std::string right = right_in_words(report); !right.empty())
            screen.head.push_back({.text = right});
}

/// Returns how sure the rows are.
std::string certainty_in_words(const Report& report) {
    const double open = 1.0 - decided_share(report);
    const std::string undecided =
        open > 0.0 ? fmt::format("; {} of the checks undecided", percent(open)) : "";
    if (report.header.simulated)
        return "Sure: repeats itself exactly, as far as the model of the machine is true" +
               undecided;
    if (report.launches.empty())
        return report.summary.violated == 0
                   ? "Sure: one launch" + undecided
                   : "Sure: one launch, another may differ (mpiaudit run --confirm FOLDER)" +
                         undecided;
    const Confirmed counts = confirmed(report);
    std::string text = fmt::format("Sure: {} of {} violations in every launch",
                                   counts.by_every_launch, report.summary.violated);
    if (counts.measured_once > 0) text += fmt::format(" ({} measured once)", counts.measured_once);
    if (const Controls controls = controls_of(report);
        controls.are_too_many(report.header.rule.alpha))
        text += fmt::format("; {} of {} controls failed, too: end other programs, and audit again",
                            controls.accused, controls.measured);
    return text + undecided;
}

/// Adds the commands that go on from the screen.
void add_foot(const Report& report, const Where& where, Screen& screen) {
    if (report.summary.samples > 0 && report.summary.checks > 0)
        screen.foot.push_back({.text = certainty_in_words(report)});
    if (!where.folder.empty() && !report.overview.empty() &&
        ranks_without_cores(report.header).empty())
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
