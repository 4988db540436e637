// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "report/console.h"
#include "report/report.h"

namespace mpiaudit {

/// Those in which each violated operation has one of its own.
std::size_t lines_of_operations(const Report& report);

/// The part of the overview about the operations: of the violated ones, the worst first, how many
/// checks are decided and violated, the worst ratio with its problem, what to call instead and how
/// that is written, as far as there is room; the others by name.
/// \param room most lines, where that is possible
std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   std::size_t room);

}  // namespace mpiaudit
