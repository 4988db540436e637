// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "options/options.h"
#include "report/report.h"

namespace mpiaudit {

/// What has to agree for a check to be the same in two audits: guideline, both sides, and of the
/// problem distribution, sizes, ranks, root, element and operator.
using CheckIdentity = std::vector<std::string>;
CheckIdentity identity_of(const std::string& guideline, const std::string& left,
                          const std::string& right, const record::ProblemDescription& problem);

/// The violations of a report by what a user asks to fail for. Remarks are nowhere in it.
struct GateOutcome {
    std::vector<const JudgedCheck*> failing;
    std::vector<const JudgedCheck*> known;      ///< from the baseline
    std::vector<const JudgedCheck*> tolerated;  ///< not as much as the condition asks
};

class Gate {
  public:
    /// Reads the baseline. Throws UsageError where it cannot be read.
    explicit Gate(const GateOptions& options);

    /// False where nothing was asked for: then the outcome fails nobody.
    bool is_wanted() const { return condition_.is_wanted; }
    GateOutcome outcome(const Report& report) const;

  private:
    bool is_known(const CheckIdentity& identity, bool is_chosen) const;

    FailureCondition condition_;
    std::set<CheckIdentity> known_;
};

/// How many violations fail and how many do not, in a sentence; empty where none is excused.
std::string in_words(const GateOutcome& outcome);

}  // namespace mpiaudit
