// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "options/options.h"
#include "report/gate.h"

namespace mpiaudit {

/// Returns sentences about the operations that became slower or faster, and about how many
/// violations fail and how many do not; empty if no violation is excused and there is no baseline.
std::string in_words(const Report& report, const GateOutcome& outcome);

/// The functions that write the formats, in the order of `formats`.
#define MPIAUDIT_WRITER(option, help) \
    std::string option(const Report& report, const GateOutcome& outcome);
namespace writers {
MPIAUDIT_FORMATS(MPIAUDIT_WRITER)
}
#define MPIAUDIT_WRITER_OF(option, help) writers::option,
inline constexpr std::string (*printers[])(const Report&, const GateOutcome&) = {
    MPIAUDIT_FORMATS(MPIAUDIT_WRITER_OF)};

}  // namespace mpiaudit
