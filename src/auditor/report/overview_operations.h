// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "report/console.h"
#include "report/report.h"

namespace mpiaudit {

/// Those that it takes to tell each operation shortly.
std::size_t lines_of_operations(const Report& report, const Terminal& terminal);

/// The part of the overview about the operations: of the violated ones, the worst first, how many
/// times slower they are, on which sizes, and what to do, in short and as code where there is room;
/// the others by name.
/// \param room most lines, where that is possible
std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   std::size_t room);

}  // namespace mpiaudit
