// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/console.h"
#include "report/report.h"

namespace mpiaudit {

/// What an audit found, on one screen of the terminal: the answer; for each operation how many
/// checks are decided and violated, how much the worst one is, on which problem, and what to call
/// instead; what was not audited and why; the command that measures the worst again.
/// \param where lines that say where the report is; they come last
std::string overview(const Report& report, const Terminal& terminal, const std::string& where);

/// Lines that a list of names may have; one where operations need the other.
inline constexpr std::size_t lines_for_names = 2;

/// Names as far as they fit into some lines, and how many more and how many other forms there are.
std::string listed(const std::string& head, const std::vector<std::string>& names,
                   const Terminal& terminal, std::size_t most = lines_for_names,
                   std::size_t forms = 0);

/// Those that it takes to tell each operation shortly.
std::size_t lines_of_operations(const Report& report, const Terminal& terminal);

/// The part of the overview about the operations: of the violated ones, the worst first, how many
/// times slower they are, on which sizes, and what to do, in short and as code where there is room;
/// the others by name.
/// \param room most lines, where that is possible
std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   std::size_t room);

}  // namespace mpiaudit
