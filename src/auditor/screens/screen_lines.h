// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "screens/screen.h"

namespace mpiaudit {

/// ScreenLine::rank: the order in which lines leave a screen that has no room for all, the largest
/// first. What is behind last_on_screen is in files only.
inline constexpr int finding = 1, doubt = 2, offer = last_on_screen, circumstance = offer + 1,
                     detail = offer + 2;

/// Adds what was found beside ratios and wrong results: long calls, late exits, lost memory.
void add_other_findings(const Report& report, Screen& screen);

/// Adds the command that compares the library's own algorithms for the operations that lose most,
/// unless a running program cannot choose them, or they have been compared.
void add_settings(const Report& report, Screen& screen);

/// Adds what has no answer, and what was left out.
void add_unanswered(const Report& report, Screen& screen);

/// Adds under which conditions the audit ran.
void add_circumstances(const Report& report, Screen& screen);

}  // namespace mpiaudit
