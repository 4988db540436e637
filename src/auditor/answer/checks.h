// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "code/paste.h"
#include "report/report.h"

namespace mpiaudit {

/// Returns the code that calls a contestant in place of the left side of a check.
PastedCode code_of(const Report& report, const JudgedCheck& check, const WayName& contestant);

/// Returns "blocks of equal size only: 9.00 times as long on two-blocks at 4 KiB"; "wrong results
/// on two-blocks: see WRONG"; empty without caveats.
std::string in_words(const Report& report, const JudgedCheck& check,
                     std::span<const Caveat> caveats);

}  // namespace mpiaudit
