// SPDX-License-Identifier: BSD-3-Clause
#include "answer/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "answer/answer.h"
#include "repeat/commands.h"
#include "report/caveats.h"
#include "report/overview_rows.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

bool has_equal_blocks(const record::ProblemDescription& problem) {
    return problem.smallest == problem.largest;
}

std::string where(const Report& report, const Caveat& caveat, const JudgedCheck& check) {
    const record::ProblemDescription& problem = find_problem(report, caveat.problem)->problem;
    const record::ProblemDescription& own = find_problem(report, check.problem)->problem;
    const bool is_alike = problem.distribution == own.distribution;
    const auto bytes = bytes_of_rank(problem, check.left.way());
    if (!bytes) return "on " + problem.id;
    return (is_alike ? "at " : "on " + problem.distribution + " at ") + bytes_text(*bytes);
}

/// Returns the guideline's own advice if its right side is the remedy. A program keeps a
/// communicator instead of making it again.
std::string advice_of(const Report& report, const JudgedCheck& check) {
    if (check.left.way().makes_communicator())
        return "Keep the communicator, instead of making it again.";
    const auto* const guideline =
        find_in(report.header.guidelines, check.guideline, &record::GuidelineRecord::id);
    const bool is_remedy = check.remedy && check.remedy->contestant == check.right;
    return guideline != nullptr && is_remedy ? guideline->advice : "";
}

/// Returns the header with the options that commands repeat.
record::Header as_judged(const Report& report) {
    record::Header header = report.header;
    header.options = report.judged_options;
    return header;
}

}  // namespace

PastedCode code_of(const Report& report, const JudgedCheck& check, const WayName& contestant) {
    if (contestant.empty() || !contestant.way().scale.is_whole()) return {};
    const auto* const way = contestant_of(check, contestant, *find_problem(report, check.problem));
    return way == nullptr ? PastedCode{}
                          : code_to_paste(*way, check.left.way(), report.header.implementations);
}

std::string in_words(const Report& report, const JudgedCheck& check,
                     std::span<const Caveat> caveats) {
    const auto distribution_of = [&](const Caveat& caveat) {
        return find_problem(report, caveat.problem)->problem.distribution;
    };
    std::vector<std::string> wrong, parts;
    for (const Caveat& each : caveats)
        if (each.is_wrong) wrong.push_back(distribution_of(each));
    if (!wrong.empty())
        parts.push_back(fmt::format("wrong results on {}{}", fmt::join(wrong, ", "),
                                    report.header.simulated ? "" : ": see WRONG"));
    const auto slower = std::ranges::find(caveats, false, &Caveat::is_wrong);
    if (slower == caveats.end()) return fmt::format("{}", fmt::join(parts, "; "));
    const auto problem_of = [&](const std::string& id) -> const record::ProblemDescription& {
        return find_problem(report, id)->problem;
    };
    const bool is_for_equal_blocks =
        has_equal_blocks(problem_of(check.problem)) &&
        std::ranges::none_of(caveats, [&](const Caveat& each) {
            return !each.is_wrong && has_equal_blocks(problem_of(each.problem));
        });
    parts.push_back(fmt::format(
        "{}{} times as long {}", is_for_equal_blocks ? "blocks of equal size only: " : "",
        ratio_text(slower->factor.value_or(1.0)), where(report, *slower, check)));
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<CheckInWords> checks_in_words(const Report& report) {
    const record::Header header = as_judged(report);
    RepeatedOptions options(header);
    const Ways ways(report);
    std::vector<CheckInWords> all;
    for (const JudgedCheck& check : report.checks) {
        CheckInWords& words = all.emplace_back();
        if (check.verdict != judge::Verdict::violated) continue;
        words.advice = advice_of(report, check);
        words.reproduce = reproduce_command(header, check.guideline,
                                            find_problem(report, check.problem)->problem, options);
        if (!check.remedy) continue;
        const WayName contestant(check.remedy->contestant);
        words.code = code_of(report, check, contestant).text;
        words.caveat = in_words(report, check, ways.caveats_of(check, contestant));
    }
    return all;
}

std::string reproduce_command(const Report& report, const JudgedCheck& check) {
    return reproduce_command(as_judged(report), check.guideline,
                             find_problem(report, check.problem)->problem);
}

}  // namespace mpiaudit
