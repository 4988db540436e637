// SPDX-License-Identifier: BSD-3-Clause
// The rows of the first screen: which check each shows, and what it advises.
#include "report/overview_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "operations/operations.h"
#include "report/findings.h"
#include "report/verdict_index.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

/// Sorts pairs: clearly slow ones first, then ways that a program may call before forms that test
/// the library and advice for its developers, then by lost time.
auto rank(const Pair& pair) {
    return std::tuple(!pair.factor || *pair.factor >= clear_ratio, pair.is_offered, pair.lost_s);
}

/// Returns a text that is equal for all operations in one form, and empty for blocking operations.
std::string form_key(Way way) {
    if (way.makes_communicator()) return "makes a communicator";
    if (!way.is_other_form()) return "";
    for (Term& each : way.terms) each.form.operation = "MPI_";
    return way.operations();
}

/// Sets the sizes at which the operation is violated against any way, with any blocks.
void set_sizes(const VerdictIndex& index, const std::string& operation, OverviewRow& row) {
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
std::optional<OverviewRow::Worst> worst_of(const VerdictIndex& index,
                                           const std::string& operation) {
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
const JudgedCheck& check_of_pair(const VerdictIndex& index, const std::string& operation,
                                 const Pair& pair) {
    for (const JudgedCheck* each : index.checks.at(operation))
        if (each->is_violation() && each->problem == pair.check->problem &&
            each->left == pair.check->left && each->right == pair.contestant &&
            each->from == pair.check->from && each->to == pair.check->to)
            return *each;
    return *pair.check;
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
std::vector<OverviewRow::Way> ways_of(const VerdictIndex& index, const Pair& pair,
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

/// Returns the row of an operation with its sizes and its ways.
OverviewRow row_of(const VerdictIndex& index, const std::string& operation, const Pair& pair) {
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
        .factor = pair.check->lacks_evidence ? std::nullopt : pair.factor,
        .factor_low = pair.interval ? std::optional(pair.interval->low) : std::nullopt,
        .factor_high = pair.interval ? std::optional(pair.interval->high) : std::nullopt,
        .takes_s = pair.takes_s,
        .instead_s = pair.instead_s,
        .lost_s = pair.lost_s,
        .caveats = {},
        .bytes = bytes_of_rank(problem, way),
        .low_bytes = {},
        .high_bytes = {},
        .worst = worst_of(index, operation),
        .ways = {}};
    if (row.bytes) set_sizes(index, operation, row);
    row.is_per_block = row.bytes.value_or(0) < problem.total * problem.element_bytes;
    row.ways = ways_of(index, pair, check);
    if (pair.kind != AdviceKind::communicator && !pair.check->lacks_evidence) {
        row.caveats = index.ways.caveats_of(*pair.check, pair.contestant);
        // What is only reported is no advice.
        if (pair.kind == AdviceKind::report)
            std::erase_if(row.caveats, [](const Caveat& each) { return !each.is_wrong; });
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

const MpiOperation* known_operation(const Way& way) {
    return way.terms.front().form.mpi_operation();
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
    const VerdictIndex index(report);
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
