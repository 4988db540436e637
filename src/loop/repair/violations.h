// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "operations/operations.h"
#include "repair/repair.h"

namespace mpiaudit::repair {

/// A way that is confirmed to be faster than a collective on one problem.
struct FasterWay {
    std::string contestant;  ///< linear_Gatherv(m)
    bool is_forced;          ///< an algorithm of the library itself
    double saved_s;          ///< seconds per call
};

/// The audit of a collective on one problem.
struct AuditedSize {
    const ReportedProblem* problem = nullptr;
    std::int64_t bytes = 0;  ///< of the vector, or of each block; sum of unequal blocks
    double calls = 1;        ///< calls of the application; 1 without one
    std::vector<FasterWay> faster = {};

    const FasterWay* find(const std::string& contestant) const;
};

/// All audits of a collective, sorted by size.
struct AuditedCollective {
    std::string name;
    std::vector<AuditedSize> sizes;
};

/// Returns the audited collectives of a report with their confirmed faster ways.
std::vector<AuditedCollective> audited_collectives(const Report& report, const Wishes& wishes);

/// Returns whether the application makes calls of the collective that the audit left out.
/// \param kind of these calls
bool is_left_out(const Report& report, const std::string& collective,
                 bool application::LeftOutProblem::*kind);

/// Returns the blocking collective of this name, but for those among neighbours; null if there is
/// none.
const MpiOperation* find_collective(std::string_view name);

/// Adds settings of the library by which the library chooses a faster algorithm, or an obstacle.
void add_settings(const Report& report, const std::vector<AuditedCollective>& collectives,
                  const Wishes& wishes, Repairs& repairs);

/// Consecutive sizes, by index, on which one way is faster: the one that saves most. Sizes with
/// equal bytes are never separated.
struct WinningRange {
    std::size_t first = 0, last = 0;
    std::string way;
    double saved_s = 0;
};
using IsWanted = std::function<bool(const AuditedSize& size, const FasterWay& way)>;
/// Returns the ranges, which do not overlap; sizes without a wanted way are in no range.
std::vector<WinningRange> winning_ranges(const std::vector<AuditedSize>& sizes,
                                         const IsWanted& is_wanted);

}  // namespace mpiaudit::repair
