// SPDX-License-Identifier: BSD-3-Clause
// The first screen: overview() and show() are declared in report/console.h.
#include "report/console.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "report/findings.h"
#include "report/overview_rows.h"
#include "report/times.h"
#include "report/wrong_results.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

// Largest numbers of lines of a part. The operations get the lines that the other parts leave.
constexpr std::size_t few_lines = 2, some_lines = 3, most_of_answer = 5;

/// Returns the words on at most `most` lines of a screen; 0 means any number of lines.
template <class... Values>
std::string told(const Terminal& terminal, std::size_t most, fmt::format_string<Values...> words,
                 Values&&... values) {
    return wrapped(fmt::format(words, std::forward<Values>(values)...), terminal.columns, "  ",
                   terminal.at_most(most));
}

/// The amount of text beside the operations.
enum class Extent { everything, one_line_each, least };

/// Returns each fault with the command that shows the fault, then the names of further wrong
/// operations.
std::string wrong_results(const std::vector<WrongOperation>& all, const Terminal& terminal) {
    std::string text;
    std::vector<std::string> others;
    for (const WrongOperation& each : all) {
        if (terminal.rows > 0 && number_of_lines(text) >= some_lines) {
            if (!is_among(others, each.operation)) others.push_back(each.operation);
            continue;
        }
        text += told(terminal, some_lines, "WRONG: {}", each.sentence());
        const std::string& command = each.forms.front().command;
        if (!command.empty()) text += folded_command(command, terminal.columns, "  ");
    }
    if (!others.empty()) text += listed("WRONG, too: ", others, terminal);
    return emphasised(text, terminal);
}

/// Returns "112" or "112 to 464".
std::string from_to(double least, double most) {
    const std::string low = fmt::format("{:.0f}", least), high = fmt::format("{:.0f}", most);
    return low == high ? low : low + " to " + high;
}

/// Returns a line about memory that calls lose, for each cause, and the call that takes most memory
/// beside the data.
std::string memory_findings(const Report& report, const Terminal& terminal) {
    std::map<std::string, std::vector<const MemoryLoss*>> causes;
    for (const MemoryLoss& each : report.memory_losses) causes[each.when].push_back(&each);
    std::string text;
    for (const auto& [when, losses] : causes) {
        const auto [least, most] =
            std::ranges::minmax_element(losses, {}, [](const auto* each) { return each->bytes; });
        const bool is_one = losses.size() == 1;
        const bool is_persistent = when == at_free;
        const std::string who = is_one          ? losses.front()->function
                                : is_persistent ? counted(losses.size(), "persistent operation")
                                                : counted(losses.size(), "operation");
        text += told(terminal, few_lines, "MEMORY: {} {} {} bytes {}", who,
                     is_one ? "loses" : "lose", from_to((*least)->bytes, (*most)->bytes), when);
    }
    if (const auto most = most_memory_taken(report)) text += told(terminal, few_lines, "{}", *most);
    return emphasised(text, terminal);
}

/// Returns the operations with long calls: the first ones in a sentence, the others by name.
std::string tail_findings(const Report& report, const Terminal& terminal) {
    std::string text;
    std::vector<std::string> others;
    for (const Tail& each : report.tails) {
        if (terminal.rows > 0 && number_of_lines(text) >= some_lines) {
            if (!is_among(others, each.operation)) others.push_back(each.operation);
            continue;
        }
        text += told(terminal, some_lines, "TAIL: {}", each.sentence);
    }
    if (!others.empty()) text += listed("TAIL, too: ", others, terminal);
    return emphasised(text, terminal);
}

/// Returns how late ranks leave MPI_Barrier; on a terminal with little room only if another barrier
/// lets the ranks out closer together.
std::string late_exits(const Report& report, const Terminal& terminal, Extent extent) {
    const std::optional<ExitSkew> skew = exit_skew_of(report);
    if (!skew) return "";
    if (skew->is_late)
        return emphasised(told(terminal, some_lines, "SKEW: {}", skew->sentence), terminal);
    return extent == Extent::everything ? told(terminal, few_lines, "{}", skew->sentence) : "";
}

std::string top(const Report& report, const Terminal& terminal, Extent extent) {
    std::string answer =
        fmt::format("{}{}: {}", audited_system(report), launches_of(report), headline(report));
    if (!report.is_complete) answer += " " + incomplete_in_words(report);
    std::string text = wrapped(answer, terminal.columns, "", terminal.at_most(most_of_answer));
    if (const std::string caveat = caveat_of_rule(report); !caveat.empty())
        text += told(terminal, some_lines, "{}", caveat);
    if (const auto messages = messages_in_words(report)) {
        const std::string line =
            told(terminal, messages->are_slow ? some_lines : few_lines, "{}", messages->sentence);
        if (messages->are_slow)
            text = emphasised(line, terminal) + text;
        else if (extent != Extent::least)
            text += line;
    }
    return text + wrong_results(wrong_operations(report), terminal) +
           tail_findings(report, terminal) + late_exits(report, terminal, extent) +
           memory_findings(report, terminal);
}

/// Returns a sentence about the order of calls that explains most checks. Each check has its own
/// reason in report.json.
std::string effects_of_order(const Report& report, const Terminal& terminal) {
    std::map<std::string, std::size_t> checks;
    for (const JudgedCheck& check : report.checks) {
        if (check.depends_on_order && check.kind == CheckKind::verdict)
            ++checks[check.reason_in_words()];
    }
    if (checks.empty()) return "";
    const auto most =
        std::ranges::max_element(checks, {}, [](const auto& each) { return each.second; });
    const std::size_t others = checks.size() - 1;
    return told(terminal, few_lines, "No violation: {} ({}){}", most->first,
                counted(most->second, "check"),
                others > 0 ? fmt::format("; {} more such in report.json", others) : "");
}

std::string checked_calls(const Report& report, const Terminal& terminal) {
    const std::string checked = generated_calls_in_words(report);
    return checked.empty() ? "" : told(terminal, few_lines, "{}", checked);
}

std::string known_faults(const Report& report, const Terminal& terminal) {
    const std::vector<std::string> known = untested_known_faults(report);
    if (known.empty()) return "";
    return told(terminal, few_lines, "{}{}", known.front(),
                known.size() > 1 ? fmt::format(" (and {} more)", known.size() - 1) : "");
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

std::string too_slow_in_simulation(const Report& report, const Terminal& terminal) {
    const auto slow = left_out_since(ReasonKind::too_slow_to_simulate, report);
    if (slow.empty()) return "";
    return listed("Left out, because their simulation takes too long: ", slow, terminal,
                  some_lines);
}

std::string failing_in_simulation(const Report& report, const Terminal& terminal) {
    const auto failing = left_out_since(ReasonKind::fails_in_simulation, report);
    if (failing.empty()) return "";
    return listed("Left out, because the simulated library fails in ", failing, terminal,
                  some_lines);
}

/// Returns why checks have no verdict. These checks and the decided checks are all checks.
std::string unanswered(const Report& report, const Terminal& terminal, Extent extent) {
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
    if (extent != Extent::least || !has_answer)
        add(why_unfit.size(),
            "not applicable" + (has_answer ? "" : fmt::format(" ({})", why_unfit.front())));
    std::string text;
    if (late + left_out + report.summary.undecided > 0 || !has_answer)
        text = told(terminal, some_lines, "Not decided: {}", fmt::join(parts, ", "));
    if (extent == Extent::everything) text += effects_of_order(report, terminal);
    text += checked_calls(report, terminal) + known_faults(report, terminal) +
            failing_in_simulation(report, terminal) + too_slow_in_simulation(report, terminal);
    const std::vector<std::string>& missing = report.header.not_audited;
    if (missing.empty() || extent == Extent::least) return text;
    return text + listed("Not audited, since no guideline asks for it: ", missing, terminal,
                         extent == Extent::everything ? few_lines : 1);
}

std::string remarks(const Report& report, const Terminal& terminal) {
    const VerdictCounts& counts = report.summary.remarks;
    if (counts.violated == 0) return "";
    return emphasised("~", terminal, CheckKind::remark) +
           wrapped(fmt::format(" {} of {} found a reference algorithm slow, not the library",
                               counts.violated, counted(counts.decided(), "check")),
                   terminal.columns - 1, "  ", terminal.at_most(1));
}

/// Returns the first warnings that fit whole, and how many more there are. General warnings come
/// first.
std::string warnings(const std::vector<std::string>& all, const Terminal& terminal, Extent extent) {
    std::string text, last;
    std::size_t shown = 0;
    const std::size_t most = extent == Extent::everything ? some_lines : few_lines;
    const auto line_of = [&](const std::string& warning, std::size_t others) {
        return told(terminal, 0, "warning: {}{}", warning,
                    others > 0 ? fmt::format(" (and {} more, on the page)", others) : "");
    };
    for (const std::string& each : all) {
        const std::string more = last.empty() ? "" : line_of(last, 0);
        const bool is_last = shown + 1 == all.size();
        const std::string line = line_of(each, is_last ? 0 : all.size() - shown - 1);
        if (terminal.rows > 0 && number_of_lines(text + more + line) > most) continue;
        text += more;
        last = each;
        ++shown;
    }
    if (extent == Extent::least) text = last = "";
    if (!last.empty()) return text + line_of(last, all.size() - shown);
    if (all.empty()) return "";
    return told(terminal, 0, "{}, in report.json and on the page", counted(all.size(), "warning"));
}

std::string circumstances(const Report& report, const Terminal& terminal, Extent extent) {
    const Length length = extent == Extent::least ? Length::brief : Length::full;
    std::string text = told(terminal, 0, "{}", violations_in_words(report, length));
    if (const std::string alone = measured_alone_in_words(report); !alone.empty())
        text += told(terminal, 1, "{}", alone);
    for (const std::string& line : settings::lines(report.header.settings))
        text += told(terminal, few_lines, "{}", line);
    const std::string threads = other_threads_in_words(report.header.machine);
    if (!threads.empty() && extent != Extent::least) text += told(terminal, 1, "{}", threads);
    return text + warnings(report.header.warnings, terminal, extent);
}

/// Returns the command that measures the first row again.
std::string first_again(const Report& report, const Terminal& terminal) {
    if (report.overview.empty()) return "";
    const JudgedCheck* const check = check_of(report, report.overview.front());
    if (check == nullptr) return "";
    return "To measure the first row again:\n" +
           folded_command(check->reproduce, terminal.columns, "  ");
}

/// Returns the command that compares the library's own algorithms for the operations that lose
/// most; empty if a running program cannot choose them, or if they have been compared.
std::string algorithms_to_compare(const Report& report, const Terminal& terminal) {
    const auto rows = rows_with_choice(report);
    if (rows.empty() || !report.compared_operations.empty()) return "";
    return "To look for a setting of the library that chooses a faster algorithm:\n" +
           folded_command(fmt::format("{} --algorithms {}", start_of_command(report.header, "run"),
                                      operations_of_rows(report, rows)),
                          terminal.columns, "  ");
}

}  // namespace

std::string overview(const Report& report, const Terminal& terminal, const std::string& where) {
    // The last line of a screen belongs to the shell.
    const std::size_t rows = terminal.rows == 0
                                 ? std::numeric_limits<std::size_t>::max()
                                 : static_cast<std::size_t>(std::max(terminal.rows, 24)) - 1;
    std::string above, below;
    const auto room_beside = [&](std::size_t wanted) {
        std::size_t used = 0;
        for (const Extent extent : {Extent::everything, Extent::one_line_each, Extent::least}) {
            above = top(report, terminal, extent) + savings_in_words(report, terminal);
            below = unanswered(report, terminal, extent) + remarks(report, terminal) +
                    circumstances(report, terminal, extent) + faster_settings(report, terminal) +
                    (extent == Extent::least ? ""
                                             : algorithms_to_compare(report, terminal) +
                                                   first_again(report, terminal)) +
                    where;
            used = number_of_lines(above + below);
            if (wanted + used <= rows) break;
        }
        return rows - std::min(rows, used);
    };
    const std::string operations = overview_of_operations(report, terminal, room_beside);
    return above + operations + below;
}

std::string answer_of_generated_calls(const Report& report, const Terminal& terminal) {
    if (!report.generated_calls) return "";
    std::vector<WrongOperation> wrong = wrong_operations(report);
    std::erase_if(wrong,
                  [](const WrongOperation& each) { return each.forms.front().generated.empty(); });
    const bool are_known =
        std::ranges::any_of(report.generated_calls->findings, &record::CallFinding::is_known);
    return wrong_results(wrong, terminal) + checked_calls(report, terminal) +
           (are_known ? known_faults(report, terminal) : "");
}

void show(const Report& report, const Terminal& terminal, const std::string& where) {
    say("{}", overview(report, terminal, where));
    if (!report.choices.empty()) say("\n{}", choices_table(report, terminal));
    if (const std::string times = times_of_the_operation(report, terminal); !times.empty())
        say("\n{}", times);
}

}  // namespace mpiaudit
