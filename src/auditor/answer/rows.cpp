// SPDX-License-Identifier: BSD-3-Clause
// The rows of the overview in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "answer/answer.h"
#include "answer/checks.h"
#include "answer/cures.h"
#include "problem/element.h"
#include "report/verdict_index.h"
#include "settings/families.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

PastedCode code_of(const Report& report, const Pair& pair) {
    if (pair.kind == AdviceKind::communicator || pair.check->lacks_evidence) return {};
    return code_of(report, *pair.check, pair.contestant);
}

std::vector<std::string> needs_of(const Report& report, const Pair& pair) {
    return code_of(report, pair).needs;
}

/// Returns the violated pair with the largest ratio of the same operation on the same problem of
/// which a program can call the replacement; none if no call of MPI helps there.
std::optional<Pair> best_calls(const VerdictIndex& index, const std::string& operation,
                               const Pair& pair) {
    std::optional<Pair> best;
    for (const JudgedCheck* each : index.checks.at(operation)) {
        if (!each->is_violation() || each->lacks_evidence || each->problem != pair.check->problem ||
            each->left != pair.check->left)
            continue;
        Pair other = index.advised(*each);
        if (other.kind == AdviceKind::calls && (!best || other.factor > best->factor))
            best = std::move(other);
    }
    return best;
}

/// Adds what the code to paste needs.
std::string with_needs(const std::string& advice, const std::vector<std::string>& needs) {
    if (needs.empty()) return advice;
    return fmt::format("{}; needs {}", advice, fmt::join(needs, ", "));
}

/// Returns what is faster where the advice is to tell the library's developers, and the fastest way
/// that a program can call; empty if there is nothing but the times to tell.
std::string faster_in_words(const VerdictIndex& index, const Pair& pair,
                            const std::string& operation) {
    const Way& way = pair.contestant.way();
    if (way.copy > 1) return "the same call, measured twice";
    std::vector<std::string> parts;
    const Form* const form = way.only();
    const std::string name = cure(pair.check->left.way(), way);
    if (form != nullptr && !form->is_of_mpi())
        parts.push_back("faster: " + settings::family_of(*form));
    else if (!index.is_right(pair))
        parts.push_back(name + " is faster");
    else if (!leaves_blocks_in_place(way))
        parts.push_back(name + " are faster, and lay out blocks otherwise");
    if (const auto calls = best_calls(index, operation, pair))
        parts.push_back(
            fmt::format("{} times as fast: {}", ratio_text(calls->factor.value_or(1)),
                        with_needs(cure(pair.check->left.way(), calls->contestant.way()),
                                   needs_of(index.report, *calls))));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Returns the advice to tell the library's developers: nothing that a program can call is as fast.
std::string report_in_words(const VerdictIndex& index, const Pair& pair,
                            const std::string& operation) {
    const std::string faster = faster_in_words(index, pair, operation);
    if (pair.contestant.way().copy > 1) return "nothing: " + faster;
    const bool has_calls = best_calls(index, operation, pair).has_value() ||
                           !index.is_right(pair) || !leaves_blocks_in_place(pair.contestant.way());
    return fmt::format("{}report it (mpiaudit reproduce){}{}",
                       has_calls ? "" : "no MPI call helps: ", faster.empty() ? "" : "; ", faster);
}

/// Returns what a program should do instead, as a few words for the last column.
std::string advice_in_words(const VerdictIndex& index, const Pair& pair,
                            const std::string& operation) {
    if (pair.check->lacks_evidence) return "not confirmed by the evidence";
    if (pair.kind == AdviceKind::communicator)
        return pair.contestant.empty()
                   ? "keep the communicator"
                   : fmt::format("keep the communicator, or {}",
                                 cure(pair.check->left.way(), pair.contestant.way()));
    if (pair.kind == AdviceKind::report) return report_in_words(index, pair, operation);
    const Form* const form = pair.contestant.way().only();
    if (pair.kind == AdviceKind::setting && form != nullptr)
        return fmt::format("set {} ({})", code_of(index.report, pair).text,
                           settings::family_of(*form));
    return with_needs(cure(pair.check->left.way(), pair.contestant.way()),
                      needs_of(index.report, pair));
}

/// Returns MPI's name of an element or operator: MPI_DOUBLE of double.
std::string name_in_mpi(const std::string& name) {
    if (name.starts_with("user-")) return "an operator of the user";
    if (name == "vector") return "elements with gaps";
    return Element::name_in_mpi(name);
}

/// Returns how the data of a problem differ from most problems of the audit: blocks of different
/// sizes, another type, operator or root. Empty if they do not differ.
std::string data_in_words(const Report& report, const record::ProblemDescription& problem,
                          const MpiOperation* operation) {
    const auto* const distribution = find_in(report.header.distributions, problem.distribution,
                                             &record::DistributionRecord::name);
    const std::string& repeated = distribution != nullptr ? distribution->repeats : "";
    const std::string& blocks = repeated.empty() ? problem.distribution : repeated;
    std::vector<std::string> parts;
    const bool has_blocks = operation == nullptr || operation->shape != Shape::vector;
    if (has_blocks && blocks != "same") parts.push_back("blocks: " + blocks);
    const auto usual = std::ranges::find_if(report.problems, [&](const ReportedProblem& each) {
        return !repeated.empty() && each.problem.distribution == repeated;
    });
    if (usual == report.problems.end()) return fmt::format("{}", fmt::join(parts, ", "));
    const record::ProblemDescription& other = usual->problem;
    if (problem.element != other.element) parts.push_back(name_in_mpi(problem.element));
    if (problem.op != other.op && operation != nullptr && operation->is_reduction())
        parts.push_back(name_in_mpi(problem.op));
    if (problem.root != other.root && operation != nullptr && operation->has_root())
        parts.push_back(fmt::format("root {}", problem.root));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Returns "4 KiB" with a no-break space.
std::string size_in_words(std::int64_t bytes) {
    std::string text = bytes_text(bytes);
    replace_all(text, " ", "\u00a0");
    return text;
}

std::string sentence_of(const OverviewRow& row) {
    const std::string lost = short_text(1e6 * row.lost_s) + " µs";
    if (row.kind == AdviceKind::communicator)
        return fmt::format("takes {} µs each time", short_text(1e6 * row.takes_s));
    std::string text = "slower";
    if (row.factor && std::isfinite(*row.factor))
        text = fmt::format("{} times as long as {}", ratio_text(*row.factor), row.contestant);
    if (row.bytes) text += " at " + size_in_words(*row.bytes);
    if (row.low_bytes && row.low_bytes != row.high_bytes)
        text += fmt::format(", slow from {} to {}", size_in_words(*row.low_bytes),
                            size_in_words(*row.high_bytes));
    if (row.worst && row.factor && row.worst->factor > clear_ratio * *row.factor)
        text += fmt::format(", at worst {} times ({}{})", ratio_text(row.worst->factor),
                            row.worst->contestant,
                            row.worst->bytes ? " at " + size_in_words(*row.worst->bytes) : "");
    return fmt::format("{}; a call loses {}", text, lost);
}

/// Returns "spikes: from 4 KiB to 64 KiB, up to 1.50 times as long as MPI_Gatherv(m); not at 2
/// KiB". The next size is "another ratio at 2 KiB" if the operation is violated there, too.
std::string in_words(const VerdictIndex& index, const ViolatedRange& range, const Way& way) {
    const auto size_of = [&](const std::string& id) {
        const record::ProblemDescription& problem = index.problems.at(id)->problem;
        return size_in_words(bytes_of_rank(problem, way).value_or(0));
    };
    const std::string first = size_of(range.first), last = size_of(range.last);
    std::string text = range.distribution + ": " +
                       (first == last ? "at " + first : fmt::format("from {} to {}", first, last));
    if (std::isfinite(range.factor))
        text +=
            fmt::format(", up to {} times as long as {}", ratio_text(range.factor), range.instead);
    std::vector<std::string> not_at, less_at;
    for (const auto& end : {range.below, range.above})
        if (end)
            (index.is_violated(range.operation, *end) ? less_at : not_at).push_back(size_of(*end));
    for (const auto& [words, sizes] : {std::pair("not at", not_at), {"another ratio at", less_at}})
        if (!sizes.empty()) text += fmt::format("; {} {}", words, fmt::join(sizes, " and "));
    return text;
}

/// Returns the pair that the row shows.
Pair pair_of(const OverviewRow& row, const JudgedCheck& check) {
    return {.check = &check,
            .kind = row.kind,
            .contestant = row.contestant.empty() ? WayName() : WayName(row.contestant),
            .factor = row.factor};
}

/// Returns a caveat for a replacement that the simulator has in the place of the simulated library:
/// all nonblocking operations of SMPI are linear. Empty for other replacements.
std::string caveat_of_simulator(const Report& report, const Way& replacement) {
    const bool is_nonblocking = std::ranges::any_of(
        replacement.terms, [](const auto& term) { return term.form.start == Start::nonblocking; });
    if (!report.header.simulated || !is_nonblocking) return "";
    return "the simulator's own nonblocking operation, which is linear";
}

RowInWords in_words(const VerdictIndex& index, const OverviewRow& row) {
    const Report& report = index.report;
    RowInWords words;
    words.sentence = sentence_of(row);
    const JudgedCheck* const check = check_of(report, row);
    if (check == nullptr) return words;
    const Pair pair = pair_of(row, *check);
    const Way& way = check->left.way();
    words.instead = advice_in_words(index, pair, row.operation);
    if (row.lacks_program) replace_all(words.instead, " (mpiaudit reproduce)", "");
    const bool is_to_call = row.kind != AdviceKind::report && !row.contestant.empty();
    if (is_to_call) words.cure = cure(way, pair.contestant.way());
    const PastedCode code = code_of(report, pair);
    words.needs = fmt::format("{}", fmt::join(code.needs, ", "));
    if (row.kind != AdviceKind::report) words.code = code.text;
    if (row.bytes)
        words.data = data_in_words(report, index.problem_of(*check).problem, known_operation(way));
    words.caveat = in_words(report, *check, row.caveats);
    if (const std::string more = caveat_of_simulator(report, pair.contestant.way()); !more.empty())
        words.caveat += (words.caveat.empty() ? "" : "; ") + more;
    for (const ViolatedRange& each : report.ranges)
        if (each.operation == row.operation) words.ranges.push_back(in_words(index, each, way));
    return words;
}

}  // namespace

std::vector<RowInWords> rows_in_words(const Report& report) {
    const VerdictIndex index(report);
    std::vector<RowInWords> all;
    for (const OverviewRow& row : report.overview) all.push_back(in_words(index, row));
    return all;
}

}  // namespace mpiaudit
