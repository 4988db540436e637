// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/options.h"
#include "report/baseline.h"
#include "report/report.h"

namespace mpiaudit {

/// The violations of a report by what a user asks to fail for, and what became slower than in the
/// baseline. Remarks are nowhere in it.
struct GateOutcome {
    std::vector<const JudgedCheck*> failing;
    std::vector<const JudgedCheck*> tolerated;  ///< not as much as the condition asks
    std::vector<const JudgedCheck*> excused;    ///< of operations no slower than in the baseline
    std::optional<BeforeAfter> beside_baseline;
    bool has_failed = false;
};

class Gate {
  public:
    /// Reads the baseline. Throws UsageError where it cannot be read.
    explicit Gate(const GateOptions& options);

    /// Throws UsageError where the baseline has no problem of the report.
    GateOutcome outcome(const Report& report) const;

  private:
    std::string file_;
    FailureCondition condition_;
    std::optional<NativeTimes> baseline_;
};

/// What became slower or faster, and how many violations fail and how many do not, in sentences;
/// empty where none is excused and there is no baseline.
std::string in_words(const GateOutcome& outcome);

/// The checks as JUnit XML, the form of test results that every CI system reads, as analysis/
/// writes it: a test case is a guideline on a problem. Violations that the gate does not excuse
/// fail. Undecided checks pass with a word about it, since nothing was found; skipped ones and
/// remarks are skipped.
std::string junit_xml(const Report& report, const GateOutcome& outcome);

/// What writes each of the formats that options have, in their order.
inline constexpr std::string (*printers[])(const Report&, const GateOutcome&) = {junit_xml};
static_assert(std::size(printers) == std::size(formats));

}  // namespace mpiaudit
