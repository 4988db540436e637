// SPDX-License-Identifier: BSD-3-Clause
// The rows of the first screen: which check each shows, and what it advises.
#include "report/overview_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "operations/operations.h"
#include "problem/element.h"
#include "report/caveats.h"
#include "report/cures.h"
#include "report/findings.h"
#include "settings/families.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

/// The verdicts of a report by operation, and its problems by id.
struct Index {
    explicit Index(const Report& of) : report{of}, ways{of} {
        for (const ReportedProblem& each : report.problems)
            problems.emplace(each.problem.id, &each);
        for (const JudgedCheck& check : report.checks)
            if (check.kind == CheckKind::verdict)
                checks[check.left.way().operations()].push_back(&check);
    }

    const ReportedProblem& problem_of(const JudgedCheck& check) const {
        return *problems.at(check.problem);
    }

    /// Returns true if the replacement gave no wrong result on any problem of the audit.
    bool is_right(const Pair& pair) const {
        const std::vector<Caveat> caveats = ways.caveats_of(*pair.check, pair.contestant);
        return caveats.empty() || !caveats.front().is_wrong;
    }

    bool is_violated(const std::string& operation, const std::string& problem) const {
        return std::ranges::any_of(checks.at(operation), [&](const JudgedCheck* each) {
            return each->is_violation() && each->problem == problem;
        });
    }

    /// Returns the pair of a violated check. A replacement with wrong results is reported, and not
    /// advised.
    Pair advised(const JudgedCheck& check) const {
        Pair pair = pair_of(report, problem_of(check), check);
        const bool is_advised = pair.kind == AdviceKind::calls || pair.kind == AdviceKind::setting;
        if (!is_advised || is_right(pair)) return pair;
        pair.kind = AdviceKind::report;
        pair.is_offered = false;
        pair.code = {};
        return pair;
    }

    const Report& report;
    Ways ways;
    std::map<std::string_view, const ReportedProblem*> problems;
    std::map<std::string, std::vector<const JudgedCheck*>> checks;
};

/// Sorts pairs: clearly slow ones first, then ways that a program may call before forms that test
/// the library and advice for its developers, then by lost time.
auto rank(const Pair& pair) {
    return std::tuple(!pair.factor || *pair.factor >= clear_ratio, pair.is_offered, pair.lost_s);
}

/// Returns true for a reference algorithm of mpiaudit. Zero fills and views are parts of paths of
/// MPI calls.
bool is_of_mpiaudit(const record::Step& step) {
    return !step.form.is_of_mpi() && !step.form.is_move();
}

/// A program can make other calls of MPI in the place of a call that tests the library, too: call
/// an operation without computation meanwhile, or keep the buffers (cures.h).
AdviceKind kind_of_way(const ReportedContestant& way, const std::string& code) {
    if (way.name.way().copy > 1 || !leaves_blocks_in_place(way.name.way()))
        return AdviceKind::report;
    if (way.forced) return code.empty() ? AdviceKind::report : AdviceKind::setting;
    return std::ranges::any_of(way.steps, is_of_mpiaudit) ? AdviceKind::report : AdviceKind::calls;
}

/// Sets the numbers of a pair so that they agree: the ratio is that of the times, and a call loses
/// their difference.
void set_times(Pair& pair, double takes_s, double ratio) {
    pair.factor = ratio;
    pair.takes_s = takes_s;
    pair.instead_s = takes_s / ratio;
    pair.lost_s = takes_s * (1.0 - 1.0 / ratio);
}

/// Returns the time of the left side that the rule compares, in seconds; 0 without samples.
double left_s(const Report& report, const JudgedCheck& check) {
    if (!check.samples) return 0.0;
    return compared(check.samples->judgement.left, report.header.rule.criterion);
}

/// Returns the left and the right side of the check as a pair: the right side is faster, too.
Pair pair_of_sides(const Report& report, const ReportedProblem& problem, const JudgedCheck& check) {
    Pair pair{.check = &check, .contestant = check.right};
    set_times(pair, left_s(report, check), factor(check));
    if (check.samples && check.samples->has_ratio() && check.samples->is_paired &&
        check.samples->judgement.factor == check.samples->judgement.ratio.median)
        pair.interval = check.samples->judgement.ratio;
    const auto* const right = contestant_of(check, check.right, problem);
    if (right == nullptr) return pair;
    if (check.right.way().scale.is_whole())
        pair.code = code_to_paste(*right, check.left.way(), report.header.implementations);
    pair.kind = kind_of_way(*right, pair.code.text);
    pair.is_offered = pair.kind != AdviceKind::report && check.right.way().scale.is_whole() &&
                      is_offered_as_replacement(*right);
    return pair;
}

/// Returns the pair of an operation that makes a communicator. Another function may make the same
/// communicator in less time.
Pair pair_of_communicator(const Report& report, const JudgedCheck& check) {
    Pair pair{.check = &check, .kind = AdviceKind::communicator, .is_offered = true};
    pair.takes_s = pair.lost_s = left_s(report, check);
    const bool is_function = check.right.way().is_one_call() &&
                             check.right.way().only()->variant.empty() &&
                             check.right.way().makes_communicator();
    if (!is_function || !std::isfinite(factor(check))) return pair;
    pair.contestant = check.right;
    pair.instead_s = pair.takes_s / factor(check);
    pair.lost_s = pair.takes_s - *pair.instead_s;
    return pair;
}

}  // namespace

Pair pair_of(const Report& report, const ReportedProblem& problem, const JudgedCheck& check) {
    if (check.left.way().makes_communicator()) return pair_of_communicator(report, check);
    // The ratio is unknown without evidence.
    if (check.lacks_evidence) {
        Pair pair{.check = &check, .contestant = check.right, .factor = 1.0};
        pair.takes_s = left_s(report, check);
        return pair;
    }
    Pair sides = pair_of_sides(report, problem, check);
    if (!check.remedy) return sides;
    const Remedy& remedy = *check.remedy;
    const auto* const way = contestant_of(check, remedy.contestant, problem);
    const AdviceKind kind = way != nullptr ? kind_of_way(*way, remedy.code) : AdviceKind::calls;
    if (kind == AdviceKind::report && sides.is_offered) return sides;
    Pair pair{.check = &check,
              .kind = kind,
              .is_offered = kind != AdviceKind::report,
              .contestant = remedy.contestant,
              .interval = remedy.interval,
              .code = {remedy.code, remedy.needs}};
    set_times(pair, remedy.left_s, remedy.factor);
    pair.lost_s = remedy.saved_s;
    return pair;
}

Pair pair_of(const Report& report, const JudgedCheck& check) {
    return pair_of(report, *find_problem(report, check.problem), check);
}

namespace {

/// Returns the violated pair with the largest ratio of the same operation on the same problem of
/// which a program can call the replacement; none if no call of MPI helps there.
std::optional<Pair> best_calls(const Index& index, const std::string& operation, const Pair& pair) {
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
std::string faster_in_words(const Index& index, const Pair& pair, const std::string& operation) {
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
        parts.push_back(fmt::format(
            "{} times as fast: {}", ratio_text(calls->factor.value_or(1)),
            with_needs(cure(pair.check->left.way(), calls->contestant.way()), calls->code.needs)));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Returns the advice to tell the library's developers: nothing that a program can call is as fast.
std::string report_in_words(const Index& index, const Pair& pair, const std::string& operation) {
    const std::string faster = faster_in_words(index, pair, operation);
    if (pair.contestant.way().copy > 1) return "nothing: " + faster;
    const bool has_calls = best_calls(index, operation, pair).has_value() ||
                           !index.is_right(pair) || !leaves_blocks_in_place(pair.contestant.way());
    return fmt::format("{}report it (mpiaudit reproduce){}{}",
                       has_calls ? "" : "no MPI call helps: ", faster.empty() ? "" : "; ", faster);
}

/// Returns what a program should do instead, as a few words for the last column.
std::string advice_in_words(const Index& index, const Pair& pair, const std::string& operation) {
    if (pair.check->lacks_evidence) return "not confirmed by the evidence";
    if (pair.kind == AdviceKind::communicator)
        return pair.contestant.empty()
                   ? "keep the communicator"
                   : fmt::format("keep the communicator, or {}",
                                 cure(pair.check->left.way(), pair.contestant.way()));
    if (pair.kind == AdviceKind::report) return report_in_words(index, pair, operation);
    const Form* const form = pair.contestant.way().only();
    if (pair.kind == AdviceKind::setting && form != nullptr)
        return fmt::format("set {} ({})", pair.code.text, settings::family_of(*form));
    return with_needs(cure(pair.check->left.way(), pair.contestant.way()), pair.code.needs);
}

/// Returns the operation of the first call of a way, for an algorithm the operation with its
/// signature; null for names outside of the table.
const MpiOperation* known_operation(const Way& way) {
    return way.terms.front().form.mpi_operation();
}

/// Returns a text that is equal for all operations in one form, and empty for blocking operations.
std::string form_key(Way way) {
    if (way.makes_communicator()) return "makes a communicator";
    if (!way.is_other_form()) return "";
    for (Term& each : way.terms) each.form.operation = "MPI_";
    return way.operations();
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

/// Sets the sizes at which the operation is violated against any way, with any blocks.
void set_sizes(const Index& index, const std::string& operation, OverviewRow& row) {
    std::optional<std::int64_t> lowest, highest;
    for (const JudgedCheck* check : index.checks.at(operation)) {
        const auto bytes = bytes_of_rank(index.problem_of(*check).problem, check->left.way());
        if (!bytes || !(check->is_violation() || check->verdict == Verdict::holds)) continue;
        lowest = std::min(*bytes, lowest.value_or(*bytes));
        highest = std::max(*bytes, highest.value_or(*bytes));
        if (!check->is_violation()) continue;
        row.low_bytes = std::min(*bytes, row.low_bytes.value_or(*bytes));
        row.high_bytes = std::max(*bytes, row.high_bytes.value_or(*bytes));
    }
    row.is_lowest = row.low_bytes == lowest;
    row.is_highest = row.high_bytes == highest;
}

/// Returns the largest ratio of the operation over any way on any problem; none without a ratio
/// that the evidence confirms.
std::optional<OverviewRow::Worst> worst_of(const Index& index, const std::string& operation) {
    std::optional<OverviewRow::Worst> worst;
    for (const JudgedCheck* check : index.checks.at(operation)) {
        if (!check->is_violation() || check->lacks_evidence) continue;
        const record::ProblemDescription& problem = index.problem_of(*check).problem;
        const auto consider = [&](double ratio, const std::string& contestant) {
            if (!std::isfinite(ratio) || (worst && worst->factor >= ratio)) return;
            worst = {.factor = ratio,
                     .problem = check->problem,
                     .contestant = contestant,
                     .bytes = bytes_of_rank(problem, check->left.way())};
        };
        consider(factor(*check), check->right);
        if (check->remedy) consider(check->remedy->factor, check->remedy->contestant);
    }
    return worst;
}

/// Returns the check of the same problem that compares exactly this pair, else the check of the
/// pair. Commands beside a row measure and reproduce this check.
const JudgedCheck& check_of_pair(const Index& index, const std::string& operation,
                                 const Pair& pair) {
    for (const JudgedCheck* each : index.checks.at(operation))
        if (each->is_violation() && each->problem == pair.check->problem &&
            each->left == pair.check->left && each->right == pair.contestant &&
            each->from == pair.check->from && each->to == pair.check->to)
            return *each;
    return *pair.check;
}

/// Returns "4 KiB" with a no-break space.
std::string size_in_words(std::int64_t bytes) {
    std::string text = bytes_text(bytes);
    replace_all(text, " ", "\u00a0");
    return text;
}

std::string sentence_of(const OverviewRow& row) {
    const std::string lost = short_text(1e6 * row.lost_s) + " µs";
    if (row.kind == AdviceKind::communicator) return fmt::format("takes {} each time", lost);
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
std::string in_words(const Index& index, const ViolatedRange& range, const Way& way) {
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

/// Returns the names to which guidelines lead from the left side of a check, including the left
/// side. No guideline leads to a call in place, which does less than the left side.
std::set<std::string_view> led_to(const Report& report, const JudgedCheck& from) {
    std::set<std::string_view> names{from.left};
    for (bool is_growing = true; is_growing;) {
        is_growing = false;
        for (const JudgedCheck& each : report.checks)
            if (each.problem == from.problem && each.from == from.from && each.to == from.to &&
                names.contains(each.left))
                is_growing = names.insert(each.right).second || is_growing;
    }
    return names;
}

/// Sets the times of the operation and of its replacement to those of the pair, and the others in
/// proportion to the operation.
void set_times(std::vector<OverviewRow::Way>& ways, const Pair& pair) {
    const auto* const operation = find_in(ways, pair.check->left, &OverviewRow::Way::contestant);
    const double measured_s = operation != nullptr ? operation->time_s : 0.0;
    if (measured_s <= 0.0 || pair.takes_s <= 0.0) return;
    for (OverviewRow::Way& each : ways)
        each.time_s = pair.instead_s && each.contestant == pair.contestant
                          ? *pair.instead_s
                          : each.time_s / measured_s * pair.takes_s;
}

/// Returns the left side of the check and the fastest other ways between the layouts of the check,
/// fastest first; nothing if a side of the check was not measured.
std::vector<OverviewRow::Way> ways_of(const Index& index, const Pair& pair,
                                      const JudgedCheck& check) {
    constexpr std::size_t most = 8;
    const ReportedProblem& problem = index.problem_of(check);
    for (const WayName* const side : {&check.left, &check.right}) {
        const ReportedContestant* const found = contestant_of(check, *side, problem);
        if (found == nullptr || !found->statistics) return {};
    }
    const auto names = led_to(index.report, check);
    std::vector<OverviewRow::Way> ways;
    for (const ReportedContestant& each : problem.contestants)
        if (each.statistics && names.contains(each.name) && each.from == check.from &&
            each.to == check.to)
            ways.push_back(
                {each.name, compared(*each.statistics, index.report.header.rule.criterion)});
    set_times(ways, pair);
    std::ranges::stable_sort(ways, {}, &OverviewRow::Way::time_s);
    std::size_t others = 0;
    std::erase_if(ways, [&](const OverviewRow::Way& each) {
        return each.contestant != check.left && ++others >= most &&
               each.contestant != pair.contestant;
    });
    return ways;
}

/// Returns the row of an operation with its sentence, its ranges and its ways. Leaves the data
/// empty if the bytes of a rank are unknown.
OverviewRow row_of(const Index& index, const std::string& operation, const Pair& pair) {
    const record::ProblemDescription& problem = index.problem_of(*pair.check).problem;
    const JudgedCheck& check = check_of_pair(index, operation, pair);
    const Way& way = pair.check->left.way();
    OverviewRow row{
        .operation = operation,
        .form = form_key(way),
        .is_other_form = way.is_other_form(),
        .guideline = check.guideline,
        .problem = pair.check->problem,
        .contestant = pair.contestant,
        .kind = pair.kind,
        .instead = advice_in_words(index, pair, operation),
        .cure = pair.contestant.empty() || pair.kind == AdviceKind::report
                    ? ""
                    : cure(pair.check->left.way(), pair.contestant.way()),
        .needs = fmt::format("{}", fmt::join(pair.code.needs, ", ")),
        .faster = pair.kind == AdviceKind::report && !pair.check->lacks_evidence
                      ? faster_in_words(index, pair, operation)
                      : "",
        .code = pair.kind == AdviceKind::report ? "" : pair.code.text,
        .data = data_in_words(index.report, problem, known_operation(way)),
        .factor = pair.check->lacks_evidence ? std::nullopt : pair.factor,
        .factor_low = pair.interval ? std::optional(pair.interval->low) : std::nullopt,
        .factor_high = pair.interval ? std::optional(pair.interval->high) : std::nullopt,
        .takes_s = pair.takes_s,
        .instead_s = pair.instead_s,
        .lost_s = pair.lost_s,
        .caveats = {},
        .caveat = {},
        .bytes = bytes_of_rank(problem, way),
        .low_bytes = {},
        .high_bytes = {},
        .worst = worst_of(index, operation),
        .sentence = {},
        .ranges = {},
        .ways = {}};
    if (row.bytes)
        set_sizes(index, operation, row);
    else
        row.data.clear();
    row.is_per_block = row.bytes.value_or(0) < problem.total * problem.element_bytes;
    row.sentence = sentence_of(row);
    for (const ViolatedRange& each : index.report.ranges)
        if (each.operation == operation) row.ranges.push_back(in_words(index, each, way));
    row.ways = ways_of(index, pair, check);
    if (pair.kind != AdviceKind::communicator && !pair.check->lacks_evidence) {
        row.caveats = index.ways.caveats_of(*pair.check, pair.contestant);
        // What is only reported is no advice.
        if (pair.kind == AdviceKind::report)
            std::erase_if(row.caveats, [](const Caveat& each) { return !each.is_wrong; });
        row.caveat = index.ways.in_words(*pair.check, row.caveats);
    }
    return row;
}

/// Returns true if the check is violated clearly and in all launches alike. Half of the launches
/// must have measured the check.
bool is_clear(const Report& report, const JudgedCheck& check) {
    if (!check.is_violation() || check.lacks_evidence) return false;
    std::vector<double> factors;
    for (const JudgedLaunch& each : check.launches)
        factors.push_back(each.samples.judgement.factor);
    if (factors.empty()) factors.push_back(factor(check));
    if (2 * factors.size() < report.launches.size()) return false;
    std::ranges::sort(factors);
    return factors.front() > 1.0 + report.header.rule.tolerance &&
           factors[factors.size() / 2] >= clear_ratio;
}

}  // namespace

double worst_ratio(const OverviewRow& row) {
    return row.worst ? row.worst->factor : row.factor.value_or(1.0);
}

bool is_small(const OverviewRow& row) {
    constexpr double small_loss_s = 1e-6;
    return row.lost_s < small_loss_s && worst_ratio(row) < clear_ratio;
}

const JudgedCheck* check_of(const Report& report, const OverviewRow& row) {
    const auto found = std::ranges::find_if(report.checks, [&](const JudgedCheck& each) {
        return each.guideline == row.guideline && each.problem == row.problem;
    });
    return found == report.checks.end() ? nullptr : &*found;
}

const OverviewRow* row_of(const Report& report, const JudgedCheck& check) {
    const auto found = std::ranges::find_if(report.overview, [&](const OverviewRow& each) {
        return each.guideline == check.guideline && each.problem == check.problem;
    });
    return found == report.overview.end() ? nullptr : &*found;
}

std::optional<std::int64_t> bytes_of_rank(const record::ProblemDescription& problem,
                                          const Way& way) {
    const MpiOperation* const known = known_operation(way);
    const std::int64_t all = problem.total * problem.element_bytes;
    if (way.makes_communicator() || (known != nullptr && known->shape == Shape::nothing))
        return std::nullopt;
    const bool is_vector =
        known != nullptr && (known->shape == Shape::vector || known->is_reduction());
    return is_vector ? all : all / std::max(1, problem.ranks);
}

std::set<std::string> clearly_slow(const Report& report) {
    std::map<std::string, std::set<std::string>> clear, decided;  // problems by operation
    for (const JudgedCheck& check : report.checks) {
        if (check.kind != CheckKind::verdict || !check.samples) continue;
        const std::string operation = check.left.way().operations();
        decided[operation].insert(check.problem);
        if (is_clear(report, check)) clear[operation].insert(check.problem);
    }
    std::set<std::string> named;
    for (const auto& [operation, problems] : clear)
        if (problems.size() > 1 || decided.at(operation).size() == 1) named.insert(operation);
    return named;
}

std::vector<OverviewRow> overview_rows(const Report& report) {
    const Index index(report);
    const std::set<std::string> clear = clearly_slow(report);
    std::vector<OverviewRow> rows;
    for (const auto& [operation, checks] : index.checks) {
        std::optional<Pair> best;
        for (const JudgedCheck* check : checks) {
            if (!check->is_violation()) continue;
            const Pair pair = index.advised(*check);
            if (!best || rank(pair) > rank(*best)) best = pair;
        }
        if (!best) continue;
        rows.push_back(row_of(index, operation, *best));
        rows.back().is_clear = clear.contains(operation);
    }
    std::ranges::stable_sort(rows, [](const OverviewRow& a, const OverviewRow& b) {
        if (a.is_other_form != b.is_other_form) return b.is_other_form;
        return a.lost_s > b.lost_s;
    });
    return rows;
}

}  // namespace mpiaudit
