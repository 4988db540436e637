// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "repair/repair.h"

namespace mpiaudit::repair {

/// A way that was confirmed to be faster than the collective on a problem.
struct FasterWay {
    std::string contestant;  ///< linear_Gatherv(m)
    bool is_forced;          ///< an algorithm of the library
    double factor;           ///< how many times longer the library took
    double saved_s;          ///< per call
    std::size_t launches;
};

/// What was audited of a collective on one problem.
struct AuditedSize {
    const ReportedProblem* problem = nullptr;
    std::int64_t bytes = 0;            ///< of the vector, or of each block; of unequal ones the sum
    std::vector<std::int64_t> blocks;  ///< bytes of each rank's block
    double calls = 1;                  ///< of an application; 1 without one
    bool depends_on_order = false;
    std::vector<FasterWay> faster = {};

    const FasterWay* find(const std::string& contestant) const;
};

/// A collective with everything that was audited of it, the smallest size first; of one that has a
/// root, with this root alone.
struct AuditedCollective {
    std::string name;
    int root = 0;
    std::vector<AuditedSize> sizes;
};

std::vector<AuditedCollective> audited_collectives(const Report& report, const Wishes& wishes);

/// Whether the application makes blocking calls of the collective that the audit did not measure.
/// \param kind of these calls
bool is_left_out(const Report& report, const std::string& collective,
                 bool application::LeftOutProblem::*kind);

/// Null when the problem has none of this name.
const ReportedContestant* find_contestant(const ReportedProblem& problem, const std::string& name);

// What becomes of them.

void add_rules(const Report& report, const std::vector<AuditedCollective>& collectives,
               const Wishes& wishes, Repairs& repairs);
void add_settings(const Report& report, const std::vector<AuditedCollective>& collectives,
                  const Wishes& wishes, Repairs& repairs);

/// Consecutive sizes, by place, on which the same way is faster: of those that are on all of them
/// the one that saves most. Sizes of as many bytes are never told apart.
struct Run {
    std::size_t first = 0, last = 0;
    std::string way;
    double saved_s = 0;
};
using IsWanted = std::function<bool(const AuditedSize& size, const FasterWay& way)>;
std::vector<Run> runs_of(const std::vector<AuditedSize>& sizes, const IsWanted& is_wanted);

}  // namespace mpiaudit::repair
