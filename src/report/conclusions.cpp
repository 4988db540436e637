// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "report/console.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

constexpr std::size_t violations_in_words = 3;

/// Breaks a text into lines of the terminal's width; `indent` precedes each line after the first.
std::string wrapped(const std::string& text, int columns, const std::string& indent) {
    std::string result, line = text.substr(0, text.find_first_not_of(' '));
    bool is_empty = true;
    std::size_t at = line.size();
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        if (!is_empty && line.size() + 1 + word.size() > static_cast<std::size_t>(columns)) {
            result += line + "\n";
            line = indent;
        } else if (!is_empty) {
            line += " ";
        }
        line += word;
        is_empty = false;
        at = end + 1;
    }
    return result + line + "\n";
}

std::string emphasised(const std::string& text, const Terminal& terminal) {
    return terminal.colour ? std::string(emphasis_begins) + text + std::string(emphasis_ends)
                           : text;
}

/// A ratio that is not had is infinite.
double severity(const JudgedCheck& check) {
    return check.samples && check.samples->has_ratio() ? check.samples->judgement.ratio.median
                                                       : std::numeric_limits<double>::infinity();
}

std::string ratio_in_words(const JudgedCheck& check, bool is_simulated) {
    if (!check.samples || !check.samples->has_ratio())
        return "the right side took no time that the clock can see";
    const judge::MedianInterval& ratio = check.samples->judgement.ratio;
    if (is_simulated) return fmt::format("{:.2f} times as slow", ratio.median);
    return fmt::format("{:.2f} times as slow (median, {:.0f} % interval {:.2f} to {:.2f})",
                       ratio.median, 100 * ratio.coverage, ratio.low, ratio.high);
}

std::string elapsed_in_words(const Report& report) {
    return report.header.simulated ? fmt::format("{:.3g} s of simulated time", report.elapsed_s)
                                   : fmt::format("{:.1f} s", report.elapsed_s);
}

/// The worst violation of each guideline, the worst first.
std::vector<const JudgedCheck*> worst_by_guideline(const Report& report) {
    std::map<std::string, const JudgedCheck*> worst;
    for (const JudgedCheck& check : report.checks) {
        if (check.verdict != Verdict::violated) continue;
        const JudgedCheck*& so_far = worst[check.guideline];
        if (so_far == nullptr || severity(check) > severity(*so_far)) so_far = &check;
    }
    std::vector<const JudgedCheck*> sorted;
    for (const auto& [id, check] : worst) sorted.push_back(check);
    std::ranges::sort(sorted, [](const JudgedCheck* a, const JudgedCheck* b) {
        return severity(*a) > severity(*b);
    });
    return sorted;
}

int violations_of(const Report& report, const std::string& guideline) {
    return static_cast<int>(std::ranges::count_if(report.checks, [&](const JudgedCheck& check) {
        return check.verdict == Verdict::violated && check.guideline == guideline;
    }));
}

std::string violation_in_words(const Report& report, const JudgedCheck& check,
                               const Terminal& terminal) {
    std::string statement;
    for (const record::GuidelineRecord& guideline : report.header.guidelines) {
        if (guideline.id == check.guideline) statement = guideline.statement;
    }
    const int times = violations_of(report, check.guideline);
    std::string text = emphasised(statement, terminal) +
                       fmt::format(" is violated on {} problem{}\n", times, times == 1 ? "" : "s");
    text += wrapped(fmt::format("  worst: {} on {}: {}", check.left, check.problem,
                                ratio_in_words(check, report.header.simulated)),
                    terminal.columns, "  ");
    if (!check.advice.empty()) text += wrapped("  " + check.advice, terminal.columns, "  ");
    return text;
}

/// Reasons for skipped checks, each once with its number.
std::string skips(const Report& report, const Terminal& terminal) {
    std::map<std::string, int> reasons;
    for (const JudgedCheck& check : report.checks) {
        if (check.verdict == Verdict::skipped) ++reasons[check.reason];
    }
    std::string text;
    for (const auto& [reason, times] : reasons)
        text += wrapped(fmt::format("  skipped {}: {}", times, reason), terminal.columns, "    ");
    return text;
}

std::string wrong_results(const Report& report, const Terminal& terminal) {
    std::string text;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& contestant : problem.contestants) {
            if (!contestant.wrong) continue;
            text += wrapped(
                fmt::format("{}: {} gives a wrong result on {}: {}", emphasised("WRONG", terminal),
                            contestant.name, problem.problem.id, *contestant.wrong),
                terminal.columns, "  ");
        }
    }
    return text;
}

}  // namespace

bool is_terminal(int descriptor) {
    if (isatty(descriptor) != 1) return false;
    if (std::getenv("OMPI_COMM_WORLD_RANK") == nullptr) return true;
    // Open MPI gives its ranks a pseudo-terminal, whatever it was started with itself.
    const auto launcher = fmt::format("/proc/{}/fd/{}", getppid(), descriptor);
    const int file = open(launcher.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    const bool result = file >= 0 && isatty(file) == 1;
    if (file >= 0) close(file);
    return result;
}

Terminal standard_output(When colour) {
    Terminal terminal;
    terminal.colour = is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0)
        terminal.columns = std::atoi(columns);
    else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    terminal.columns = std::max(60, terminal.columns);
    if (colour != When::automatic) terminal.colour = colour == When::always;
    return terminal;
}

std::string conclusions(const Report& report, const Terminal& terminal) {
    const ReportSummary& summary = report.summary;
    std::string text =
        fmt::format("{} checks: {} violated, {} hold, {} undecided, {} skipped{}\n", summary.checks,
                    summary.violated, summary.holds, summary.undecided, summary.skipped,
                    report.is_complete ? "" : " (the audit is not complete)");
    text += skips(report, terminal);
    if (summary.samples > 0)
        text += wrapped(
            fmt::format("{} samples in {}; 75 repetitions of everything would be {}",
                        summary.samples, elapsed_in_words(report), summary.fixed_protocol_samples),
            terminal.columns, "  ");
    for (const std::string& sentence : launches_in_words(report))
        text += wrapped("  " + sentence, terminal.columns, "    ");
    for (const std::string& sentence : synchronisations_in_words(report))
        text += wrapped("  " + sentence, terminal.columns, "    ");
    for (const std::string& warning : report.header.warnings)
        text += wrapped("warning: " + warning, terminal.columns, "  ");
    text += wrong_results(report, terminal);
    const std::vector<const JudgedCheck*> worst = worst_by_guideline(report);
    for (std::size_t i = 0; i < std::min(worst.size(), violations_in_words); ++i)
        text += "\n" + violation_in_words(report, *worst[i], terminal);
    if (worst.size() > violations_in_words)
        text += fmt::format("\nand {} more guidelines; all checks are in the report\n",
                            worst.size() - violations_in_words);
    if (!worst.empty())
        text += "\nTo see the worst one again:\n  " + worst.front()->reproduce + "\n";
    return text;
}

void show(const Report& report, const Terminal& terminal) {
    say("{}{}{}{}", tables(report, terminal), model_table(report), choices_table(report, terminal),
        conclusions(report, terminal));
}

}  // namespace mpiaudit
