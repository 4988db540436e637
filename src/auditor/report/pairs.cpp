// SPDX-License-Identifier: BSD-3-Clause
// An operation and its replacement by one check: declared in report/overview_rows.h.
#include <algorithm>
#include <cmath>

#include "code/paste.h"
#include "report/findings.h"
#include "report/overview_rows.h"

namespace mpiaudit {
namespace {

/// Returns true for a reference algorithm of mpiaudit. Zero fills and views are parts of paths of
/// MPI calls.
bool is_of_mpiaudit(const record::Step& step) {
    return !step.form.is_of_mpi() && !step.form.is_move();
}

/// A program can make other calls of MPI in the place of a call that tests the library, too: call
/// an operation without computation meanwhile, or keep the buffers (cures.h).
AdviceKind kind_of_way(const Report& report, const ReportedContestant& way, const Way& left) {
    if (way.name.way().copy > 1 || !leaves_blocks_in_place(way.name.way()))
        return AdviceKind::report;
    if (way.forced)
        return code_to_paste(way, left, report.header.implementations).text.empty()
                   ? AdviceKind::report
                   : AdviceKind::setting;
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
    pair.kind = kind_of_way(report, *right, check.left.way());
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
    const AdviceKind kind =
        way != nullptr ? kind_of_way(report, *way, check.left.way()) : AdviceKind::calls;
    if (kind == AdviceKind::report && sides.is_offered) return sides;
    Pair pair{.check = &check,
              .kind = kind,
              .is_offered = kind != AdviceKind::report,
              .contestant = remedy.contestant,
              .interval = remedy.interval};
    set_times(pair, remedy.left_s, remedy.factor);
    pair.lost_s = remedy.saved_s;
    return pair;
}

Pair pair_of(const Report& report, const JudgedCheck& check) {
    return pair_of(report, *find_problem(report, check.problem), check);
}

}  // namespace mpiaudit
