// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// The ranges of each operation and kind of blocks, the worst first.
std::vector<ViolatedRange> ranges_of(const Report& report);

/// "512 B..2 KiB", ">= 4 KiB", "random >= 1 KiB +2": the range of the worst violation and those
/// near it, in bytes of all blocks together, with the name of the blocks where that is one kind,
/// and how many ranges more there are.
std::string sizes_in_words(const Report& report, const std::string& operation);

}  // namespace mpiaudit
