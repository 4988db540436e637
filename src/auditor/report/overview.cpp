// SPDX-License-Identifier: BSD-3-Clause
#include "report/console.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "operations/operations.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

// Most lines of a part; the operations have what the others leave of the screen.
constexpr std::size_t few_lines = 2, some_lines = 3;

/// On as many lines at most, where that is a screen; 0: all.
template <class... Values>
std::string told(const Terminal& terminal, std::size_t most, fmt::format_string<Values...> words,
                 Values&&... values) {
    return wrapped(fmt::format(words, std::forward<Values>(values)...), terminal.columns, "  ",
                   terminal.at_most(most));
}

/// How much is said beside the operations.
enum class Extent { everything, one_line_each, least };

/// What is wrong: what verification has found, each form once, then what else was wrong where.
using Wrong = std::pair<const ReportedProblem*, const ReportedContestant*>;
std::vector<Wrong> wrong_contestants(const Report& report) {
    std::vector<Wrong> all;
    std::set<std::string> verified;
    for (const bool is_verification : {true, false}) {
        for (const ReportedProblem& problem : report.problems) {
            if (problem.problem.verification != is_verification) continue;
            for (const ReportedContestant& each : problem.contestants) {
                // MPI_Igather(m) of MPI_Igather(m) + MPI_Wait.
                const std::string form =
                    each.steps.size() == 1 ? record::step_of(each.name).arrow : each.name;
                if (each.wrong && !verified.contains(form)) all.emplace_back(&problem, &each);
                if (each.wrong && is_verification) verified.insert(form);
            }
        }
    }
    return all;
}

/// The first ones with what is wrong, then the names of the other operations, each once.
std::string wrong_results(const Report& report, const Terminal& terminal) {
    std::string text;
    std::set<std::string> named;
    std::vector<std::string> others;
    for (const auto& [problem, contestant] : wrong_contestants(report)) {
        const std::string &name = contestant->name, &id = problem->problem.id;
        const std::string& wrong = *contestant->wrong;
        const bool is_incident = wrong.starts_with("crashes") || wrong.starts_with("hangs");
        const bool is_new = named.insert(name).second;
        if (terminal.rows > 0 && number_of_lines(text) >= some_lines) {
            if (is_new) others.push_back(operation_on_left(name));
            continue;
        }
        text += told(terminal, few_lines, "WRONG: {} {}on {}: {}", name,
                     is_incident ? "" : "gives a wrong result ", id, wrong);
        if (problem->problem.verification && others.empty() && number_of_lines(text) < some_lines)
            text += folded_command(verify_command(report.header, *contestant, problem->problem),
                                   terminal.columns, "  ");
    }
    if (!others.empty()) text += listed("WRONG, too: ", others, terminal);
    return emphasised(text, terminal);
}

/// A call that takes this many times as much memory as all data of the problem is a finding, where
/// that is more than a pool of buffers.
constexpr double most_copies = 4.0, pool_bytes = 1 << 20;

/// What no call gives back, and what calls take beside the data; of each the worst.
std::string memory_findings(const Report& report, const Terminal& terminal) {
    struct Worst {
        double bytes = 0.0;
        std::string sentence = {};
        std::set<std::string> names = {};
        void add(double more, const std::string& name, const std::string& says) {
            names.insert(operation_on_left(name));
            if (more > std::exchange(bytes, std::max(bytes, more))) sentence = name + says;
        }
    };
    Worst lost, taken;
    const Names references = reference_names(report.header.implementations);
    for (const ReportedProblem& measured : report.problems) {
        const record::ProblemDescription& problem = measured.problem;
        const auto data = static_cast<double>(problem.total * problem.element_bytes);
        for (const ReportedContestant& each : measured.contestants) {
            if (kind_of(each, references) == CheckKind::remark) continue;
            const Scale scale = record::scale_of(each.name);
            // Of several calls, the one that they consist of is known, too.
            if (each.lost_bytes && scale.repeats == 1)
                lost.add(*each.lost_bytes, each.name,
                         fmt::format(" loses {:.0f} bytes in every call", *each.lost_bytes));
            const double call = each.call_bytes.value_or(0.0);
            // m+k is larger than the problem.
            if (!scale.is_next && call > std::max(pool_bytes, most_copies * data))
                taken.add(call, each.name,
                          fmt::format(" takes {:.1f} MB of a rank's memory in a call on {} "
                                      "({:.1f} MB in all)",
                                      call / 1e6, problem.id, data / 1e6));
        }
    }
    std::string text;
    for (const auto& [worst, too] : {std::pair(&lost, "lose memory"), {&taken, "take much"}}) {
        if (worst->names.empty()) continue;
        std::string line = "MEMORY: " + worst->sentence;
        if (const std::size_t others = worst->names.size() - 1; others > 0)
            line += fmt::format("; {} {}, too", counted(others, "other operation"), too);
        text += emphasised(told(terminal, 0, "{}", line), terminal);
    }
    return text;
}

std::string top(const Report& report, const Terminal& terminal, Extent extent) {
    std::string answer = audited_system(report) + ": " + headline(report);
    if (!report.is_complete)
        answer += fmt::format(
            " The audit is not complete: {} of {} problems measured.",
            std::ranges::count_if(report.problems,
                                  [](const ReportedProblem& each) { return !each.problem.chosen; }),
            report.header.planned_problems);
    // Simulated times are always the same.
    if (report.is_complete && report.summary.violated > 0 && report.launches.empty() &&
        !report.header.simulated)
        answer += " No other launch has confirmed these violations.";
    std::string text = wrapped(answer, terminal.columns, "", terminal.at_most(some_lines));
    if (const std::string caveat = caveat_of_rule(report); !caveat.empty())
        text += told(terminal, some_lines, "{}", caveat);
    if (const auto messages = messages_within_host(report.header)) {
        const std::string line =
            told(terminal, messages->are_slow ? some_lines : 1, "{}", messages->sentence);
        if (messages->are_slow)
            text = emphasised(line, terminal) + text;
        else if (extent != Extent::least)
            text += line;
    }
    return text + wrong_results(report, terminal) + memory_findings(report, terminal);
}

/// What is slower only because of the calls that ran before it, each sentence once.
std::string effects_of_order(const Report& report, const Terminal& terminal) {
    std::map<std::string, std::size_t> checks;
    for (const JudgedCheck& check : report.checks) {
        if (check.depends_on_order && check.kind == CheckKind::verdict) ++checks[check.reason];
    }
    constexpr std::size_t most_sentences = 3;
    std::string text;
    for (const auto& [reason, number] : checks | std::views::take(most_sentences))
        text +=
            told(terminal, few_lines, "No violation: {} ({})", reason, counted(number, "check"));
    if (checks.size() > most_sentences)
        text += told(terminal, 1, "and {} more that depend on the order of calls (report.json)",
                     checks.size() - most_sentences);
    return text;
}

/// What there is no answer about.
std::string unanswered(const Report& report, const Terminal& terminal, Extent extent) {
    std::string text;
    std::vector<std::string> checks;
    std::size_t late = 0, close = report.summary.undecided;
    std::vector<std::string> why_unfit;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind == CheckKind::verdict && check.depends_on_order) --close;
        if (check.kind != CheckKind::verdict || check.verdict != Verdict::skipped) continue;
        if (check.reason == record::no_time_left || check.reason == record::slower_reference)
            ++late;
        else
            why_unfit.push_back(check.reason);
    }
    if (close > 0) checks.push_back(fmt::format("{} too close or too noisy", close));
    if (late > 0) checks.push_back(fmt::format("{} for lack of time (longer --budget)", late));
    // Who gets no answer at all has to know why.
    if (report.summary.decided() == 0 && !why_unfit.empty())
        checks.push_back(
            fmt::format("{} that do not apply here ({})", why_unfit.size(), why_unfit.front()));
    if (!checks.empty())
        text += told(terminal, some_lines, "Not decided: {}", fmt::join(checks, ", "));
    text += effects_of_order(report, terminal);
    const std::vector<std::string>& missing = report.header.not_audited;
    if (!missing.empty() && extent != Extent::least) {
        const bool is_long = extent != Extent::everything && missing.size() > 1;
        text += told(terminal, few_lines, "Not audited, since no guideline asks for it: {}",
                     is_long ? fmt::format("{} and {} more", missing.front(), missing.size() - 1)
                             : fmt::format("{}", fmt::join(missing, ", ")));
    }
    if (extent == Extent::everything && report.header.duplicates &&
        !report.header.duplicates->empty()) {
        const auto& duplicates = *report.header.duplicates;
        text += told(terminal, 1, "Left out: {} with the same blocks as another one ({} = {})",
                     counted(duplicates.size(), "problem"), duplicates.front().problem,
                     duplicates.front().equal_to);
    }
    return text;
}

/// A blocking operation of the library, whole and as usual.
bool is_plain_operation(const ReportedContestant& contestant) {
    const std::string operation = operation_on_left(contestant.name);
    return find_mpi_operation(operation) != nullptr && contestant.name == operation + "(m)";
}

/// How far the library's operations are above what no algorithm can beat: what slows all ways alike
/// violates no guideline.
std::string above_lower_bounds(const Report& report, const Terminal& terminal) {
    std::map<std::string, std::vector<double>> ratios;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            if (is_plain_operation(each) && each.statistics &&
                each.lower_bound_s.value_or(0.0) > 0.0)
                ratios[operation_on_left(each.name)].push_back(each.statistics->median /
                                                               *each.lower_bound_s);
        }
    }
    std::vector<std::pair<double, std::string>> all;
    for (auto& [operation, of_problems] : ratios) {
        std::ranges::sort(of_problems);
        all.emplace_back(of_problems[of_problems.size() / 2], operation);
    }
    if (all.empty()) return "";
    std::ranges::sort(all, std::ranges::greater{});
    // None is above it: its messages were measured while something disturbed them.
    if (all.front().first < 1.0) return "";
    std::vector<std::string> texts;
    constexpr std::size_t few = 2;
    for (const auto& [ratio, operation] : all | std::views::take(few))
        texts.push_back(fmt::format("{} {} times", operation, ratio_text(ratio)));
    return told(terminal, 0, "Farthest above the cost model's lower bound: {}",
                fmt::join(texts, ", "));
}

std::string remarks(const Report& report, const Terminal& terminal, Extent extent) {
    const VerdictCounts& counts = report.summary.remarks;
    const std::string bounds = extent == Extent::least ? "" : above_lower_bounds(report, terminal);
    if (counts.violated == 0) return bounds;
    return bounds + emphasised("~", terminal, CheckKind::remark) +
           wrapped(fmt::format(" {} of {} found a reference algorithm slow, not the library",
                               counts.violated, counted(counts.decided(), "check")),
                   terminal.columns - 1, "  ", terminal.at_most(1));
}

/// The warnings that are most general, as far as they fit whole, and how many more there are.
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
    if (!last.empty()) return text + line_of(last, all.size() - shown);
    if (all.empty()) return "";
    return told(terminal, 0, "{}, in report.json and on the page", counted(all.size(), "warning"));
}

std::string circumstances(const Report& report, const Terminal& terminal, Extent extent) {
    std::string launches, text;
    // What they confirm says how many there are.
    const bool is_confirmed = std::ranges::any_of(
        report.launches, [](const ReportedLaunch& each) { return each.confirms.has_value(); });
    const std::vector<std::string> sentences = launches_in_words(report);
    for (const std::string& sentence : sentences | std::views::drop(is_confirmed ? 1 : 0)) {
        launches += (launches.empty() ? "" : "; ") + sentence;
        const std::string more = told(terminal, 0, "{}", launches);
        if (terminal.rows > 0 && number_of_lines(more) > few_lines) break;
        text = more;
    }
    for (const std::string& sentence : synchronisations_in_words(report))
        text += told(terminal, 1, "{}", sentence);
    if (const std::string heaps = heaps_in_words(report); !heaps.empty() && extent != Extent::least)
        text += told(terminal, 1, "{}", heaps);
    const std::string threads = other_threads_in_words(report.header.machine);
    if (!threads.empty() && extent != Extent::least) text += told(terminal, 1, "{}", threads);
    return text + warnings(report.header.warnings, terminal, extent);
}

std::string worst_again(const Report& report, const Terminal& terminal) {
    const std::vector<OperationSummary> all = summaries_of_operations(report);
    if (all.empty() || all.front().worst == nullptr) return "";
    return "To measure the worst again:\n" +
           folded_command(all.front().worst->reproduce, terminal.columns, "  ");
}

}  // namespace

std::string overview(const Report& report, const Terminal& terminal, const std::string& where) {
    // The last line of a screen is the shell's.
    const std::size_t rows = terminal.rows == 0
                                 ? std::numeric_limits<std::size_t>::max()
                                 : static_cast<std::size_t>(std::max(terminal.rows, 24)) - 1;
    std::string above, below;
    const auto room_beside = [&](std::size_t wanted) {
        std::size_t used = 0;
        for (const Extent extent : {Extent::everything, Extent::one_line_each, Extent::least}) {
            above = top(report, terminal, extent) + savings_in_words(report, terminal);
            below = unanswered(report, terminal, extent) + remarks(report, terminal, extent) +
                    circumstances(report, terminal, extent) +
                    (extent == Extent::least ? "" : worst_again(report, terminal)) + where;
            used = number_of_lines(above + below);
            if (wanted + used <= rows) break;
        }
        return rows - std::min(rows, used);
    };
    const std::string operations = overview_of_operations(report, terminal, room_beside);
    return above + operations + below;
}

void show(const Report& report, const Terminal& terminal, const std::string& where) {
    say("{}", overview(report, terminal, where));
    if (!report.choices.empty()) say("\n{}", choices_table(report, terminal));
}

}  // namespace mpiaudit
