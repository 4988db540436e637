// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "operations/operations.h"
#include "report/report.h"

namespace mpiaudit {

/// The first sentence of a report names operations with at least this ratio. Smaller ratios change
/// from launch to launch.
inline constexpr double clear_ratio = 1.2;

/// An accused operation and a replacement, compared by one check on one problem. Rows, gates and
/// the formats for pipelines show the ratio of a pair, so they speak of the same violation.
struct Pair {
    const JudgedCheck* check = nullptr;
    AdviceKind kind = AdviceKind::report;
    /// A program may call the way in the place of the operation, without a change of its buffers or
    /// communicators.
    bool is_offered = false;
    WayName contestant = {};  ///< the replacement; the faster way if the advice is to report
    std::optional<double> factor = {};                   ///< none if the advice is to make no call
    std::optional<judge::MedianInterval> interval = {};  ///< of the factor
    double takes_s = 0.0;                                ///< as OverviewRow::takes_s
    std::optional<double> instead_s = {};
    double lost_s = 0.0;  ///< seconds per call
};

/// Returns the advice for a violated check. Prefers the remedy of the check, unless its contestant
/// can only be reported and the right side is something that a program can call.
/// \param problem of the check
Pair pair_of(const Report& report, const ReportedProblem& problem, const JudgedCheck& check);
/// Finds the problem.
Pair pair_of(const Report& report, const JudgedCheck& check);

/// Returns the operations that are clearly slow, which the first sentence names: on two problems
/// (or the only one) a check is violated with a median ratio of clear_ratio; every launch that
/// measured the check exceeds the tolerance; half of the launches measured the check.
std::set<std::string> clearly_slow(const Report& report);

/// Returns a row for each violated operation: blocking operations first, then other forms, each by
/// the time that a call loses.
std::vector<OverviewRow> overview_rows(const Report& report);

/// Returns the largest ratio of the operation that the evidence confirms; 1 without such a ratio.
double worst_ratio(const OverviewRow& row);

/// Returns true if the operation loses less than 1 us and takes less than clear_ratio times as long
/// on every problem. Screens count such operations, and do not list them.
bool is_small(const OverviewRow& row);

/// Returns the check that the row shows; null if the report does not have the check.
const JudgedCheck* check_of(const Report& report, const OverviewRow& row);

/// Returns the row that shows the check; null if no row does.
const OverviewRow* row_of(const Report& report, const JudgedCheck& check);

/// Returns whether `mpiaudit reproduce` can write a program of the row.
bool has_program(const Report& report, const OverviewRow& row);

/// Returns the operation of the first call of a way, for an algorithm the operation with its
/// signature; null for names outside of the table.
const MpiOperation* known_operation(const Way& way);

/// Returns the bytes of a problem by the convention of OSU and IMB: of a rank's vector if the
/// operation broadcasts or reduces, else of one block (the mean if blocks differ). Nothing for
/// operations without data.
std::optional<std::int64_t> bytes_of_rank(const record::ProblemDescription& problem,
                                          const Way& way);

}  // namespace mpiaudit
