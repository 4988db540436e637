// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// The ranges of each operation and kind of blocks, the worst first.
std::vector<ViolatedRange> ranges_of(const Report& report);

/// "512 B..2 KiB/block", ">= 4 KiB", "random <= 64 B": of equal blocks the bytes of one, of all
/// others those of all blocks together.
std::string sizes_in_words(const Report& report, const ViolatedRange& range);

}  // namespace mpiaudit
