// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/console.h"
#include "report/report.h"

namespace mpiaudit {

/// What the application of the audit could save; nothing when the audit is of none.
std::optional<Savings> savings_of(const Report& report);

/// What the right side of a check would save the application in place of the call; nothing when the
/// check was not measured, or is of no application.
std::optional<Saving> saving_by(const Report& report, const JudgedCheck& check);

/// The sum, the largest savings, and what was not audited, on few lines; empty for an audit of no
/// application.
std::string savings_in_words(const Report& report, const Terminal& terminal);

/// How many problems were left out, with their reasons, the most frequent one first, each with the
/// command that audits them where there is one.
std::string left_out_in_words(const application::Selection& selection);

}  // namespace mpiaudit
