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

/// What writes each of the formats.
#define MPIAUDIT_WRITER(option, help) \
    std::string option(const Report& report, const GateOutcome& outcome);
namespace writers {
MPIAUDIT_FORMATS(MPIAUDIT_WRITER)
}
#define MPIAUDIT_WRITER_OF(option, help) writers::option,
inline constexpr std::string (*printers[])(const Report&, const GateOutcome&) = {
    MPIAUDIT_FORMATS(MPIAUDIT_WRITER_OF)};

}  // namespace mpiaudit
