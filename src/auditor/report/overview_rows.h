// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// From this ratio on the first sentence of a report names an operation. Smaller ratios change from
/// launch to launch.
inline constexpr double clear_ratio = 1.2;

/// The operations that the first sentence names: on two problems at least (on its only problem, if
/// it has one) a check of theirs is violated, the median over the launches of the ratio is
/// clear_ratio or more, the ratio exceeds the tolerance in every launch that measured the check,
/// and half of the launches have measured the check. One problem with a high ratio by chance names
/// nothing.
std::set<std::string> clearly_slow(const Report& report);

/// A row for each violated operation: blocking operations first, then other forms, each kind by the
/// time that a call loses.
std::vector<OverviewRow> overview_rows(const Report& report);

/// The check that the row shows; null if the report does not have the check.
const JudgedCheck* check_of(const Report& report, const OverviewRow& row);

/// The bytes of a problem by the convention of OSU and IMB: of the vector that a rank gives or gets
/// where the operation broadcasts or reduces, else of the block for one destination (the mean where
/// blocks differ). Nothing for operations without data.
std::optional<std::int64_t> bytes_of_rank(const record::ProblemDescription& problem,
                                          const std::string& operation);

}  // namespace mpiaudit
