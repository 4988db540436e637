// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

// What the starts by the global clock (--sync global, both, --arrivals) were worth.

/// Why no round in the window was kept; empty when none was dropped.
std::string reason_without_rounds(const record::WindowRecord& window);

/// Where rounds were dropped because of the clocks, or a barrier had to do.
std::vector<std::string> warnings_of_windows(std::span<const record::Audit> launches);

/// The largest error of the clocks that was seen in these audits, at their start included; seconds.
std::optional<double> worst_clock_error_s(std::span<const record::Audit> launches);

}  // namespace mpiaudit
