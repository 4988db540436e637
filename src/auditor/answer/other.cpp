// SPDX-License-Identifier: BSD-3-Clause
// Long calls, settings, savings, exits and memory in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "answer/answer.h"
#include "settings/families.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// Returns "1 in 50", or "9 in 10" for more than half of the calls.
std::string frequency(int some, int all) {
    if (2 * some > all) return fmt::format("{} in {}", some, all);
    return "1 in " + separated(static_cast<std::size_t>(std::lround(1.0 * all / some)));
}

}  // namespace

std::string in_words(const Tail& tail) {
    const std::string others =
        tail.other_long_calls == 0
            ? "the other ways have no such calls"
            : fmt::format("of the other ways {}", frequency(tail.other_long_calls, tail.calls));
    const std::string which = tail.long_calls == tail.calls
                                  ? "every call"
                                  : frequency(tail.long_calls, tail.calls) + " calls";
    return fmt::format("{} is usually fast ({}), but {}{} {} {}; {} ({} calls beside {}).",
                       tail.operation, time_text(tail.usual_s), which,
                       tail.after_pause ? " after a pause of some milliseconds" : "",
                       which.starts_with("1 in") || which.starts_with("every") ? "takes" : "take",
                       time_text(tail.long_s), others,
                       separated(static_cast<std::size_t>(tail.calls)), tail.beside);
}

std::string in_words(const FasterSetting& setting) {
    std::string text =
        fmt::format("{} {} times as fast{}: {}", setting.operation, ratio_text(setting.factor),
                    setting.bytes ? " at " + bytes_text(*setting.bytes) : "",
                    settings::with_family(setting.algorithm));
    std::vector<std::string> slower;
    for (const std::int64_t bytes : setting.slower_at_bytes) slower.push_back(bytes_text(bytes));
    if (slower.empty()) return text;
    return fmt::format("{}; slower at {}, up to {} times as long", text, fmt::join(slower, ", "),
                       ratio_text(setting.slower_by));
}

std::vector<std::string> faster_settings_in_words(const Report& report) {
    std::vector<std::string> sentences;
    for (const FasterSetting& each : report.faster_settings)
        sentences.push_back(fmt::format("A setting, in {} launches: {} ({})", each.launches,
                                        in_words(each), each.variables));
    if (sentences.empty() && !report.compared_operations.empty())
        sentences.push_back(fmt::format("No other algorithm of the library was faster for {}",
                                        fmt::join(report.compared_operations, ", ")));
    return sentences;
}

namespace {

constexpr std::size_t most_shown = 5;

std::string interval_text(double value, double low, double high) {
    return fmt::format("{} ({} to {})", time_text(value), time_text(low), time_text(high));
}

std::string line_of(const Report& report, const Saving& saving) {
    const record::ProblemDescription& problem = find_problem(report, saving.problem)->problem;
    const bool has_size = saving.collective != "MPI_Barrier";
    const std::string size =
        has_size ? fmt::format(" of {}", bytes_text(problem.total * problem.element_bytes)) : "";
    return fmt::format("  {}  {}{}, {} calls of {}: {} is {} times as fast",
                       interval_text(saving.saved_s, saving.low_s, saving.high_s),
                       saving.collective, size, saving.calls, time_text(saving.library_s),
                       saving.instead, ratio_text(saving.factor));
}

}  // namespace

std::string in_words(const Savings& savings) {
    return fmt::format("{} of {} per rank in collectives can be saved.",
                       savings.saved_s > 0
                           ? interval_text(savings.saved_s, savings.low_s, savings.high_s)
                           : "none",
                       time_text(savings.recorded_s));
}

std::string left_out_in_words(const application::Selection& selection) {
    struct Group {
        std::size_t problems = 0;
        double seconds = 0;
        std::string command;
    };
    std::map<std::string, Group> reasons;
    for (const application::LeftOutProblem& each : selection.left_out) {
        Group& group = reasons[each.reason];
        ++group.problems;
        group.seconds += each.seconds;
        group.command = each.command;
    }
    std::vector<std::pair<std::string, Group>> sorted(reasons.begin(), reasons.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [](const auto& each) { return each.second.seconds; });
    std::string text;
    for (const auto& [reason, group] : sorted)
        text += fmt::format("{}{} with {}: {}{}", text.empty() ? "" : "; ",
                            counted(group.problems, "problem"), time_text(group.seconds), reason,
                            group.command.empty() ? "" : " (" + group.command + ")");
    return text;
}

std::vector<std::string> savings_in_words(const Report& report) {
    if (!report.savings) return {};
    const application::Selection& application = *report.header.application;
    std::vector<std::string> sentences = {fmt::format(
        "{} on {}: {}", application.program,
        counted(static_cast<std::size_t>(application.ranks), "rank"), in_words(*report.savings))};
    std::size_t shown = 0;
    for (const Saving& each : report.savings->problems)
        if (!each.instead.empty() && ++shown <= most_shown)
            sentences.push_back(line_of(report, each));
    if (shown > most_shown)
        sentences.push_back(fmt::format("  and {} more, in the report", shown - most_shown));
    if (!application.left_out.empty())
        sentences.push_back("Not audited: " + left_out_in_words(application));
    return sentences;
}

std::string in_words(const ExitSkew& skew) {
    std::string text = fmt::format("The last rank leaves MPI_Barrier {} after the first one",
                                   time_text(skew.skew_s));
    if (!skew.best_s) return text;
    text += fmt::format(" ({} by {})", time_text(*skew.best_s),
                        settings::family_of(*WayName(skew.best).way().only()));
    if (skew.is_late)
        text += fmt::format(
            ", and a call of the barrier takes {}: an operation behind the barrier begins late, "
            "which looks like a slow operation",
            time_text(skew.call_s));
    return text;
}

namespace {

/// A call is a finding if it takes this many times the memory of all data of the problem, and more
/// than a pool of buffers.
constexpr double most_copies = 4.0, pool_bytes = 1 << 20;

}  // namespace

std::optional<std::string> most_memory_taken(const Report& report) {
    const NameSet references = reference_names(report.header.implementations);
    double most = 0.0;
    std::string sentence;
    std::set<std::string> operations;
    for (const ReportedProblem& measured : report.problems) {
        const record::ProblemDescription& problem = measured.problem;
        const auto data = static_cast<double>(problem.total * problem.element_bytes);
        for (const ReportedContestant& each : measured.contestants) {
            const double call = each.call_bytes.value_or(0.0);
            // The way m+k solves a larger problem.
            if (kind_of(each, references) == CheckKind::remark || each.name.way().scale.is_next ||
                call <= std::max(pool_bytes, most_copies * data))
                continue;
            operations.insert(each.name.way().operations());
            if (call <= most) continue;
            most = call;
            sentence = fmt::format(
                "MEMORY: {} takes {:.1f} MB of a rank's memory in a call on {} ({:.1f} MB in all)",
                each.name, call / 1e6, problem.id, data / 1e6);
        }
    }
    if (operations.empty()) return std::nullopt;
    if (const std::size_t others = operations.size() - 1; others > 0)
        sentence += fmt::format("; {} {} much, too", counted(others, "other operation"),
                                others == 1 ? "takes" : "take");
    return sentence;
}

}  // namespace mpiaudit
