// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// Where the same barrier took another time around some problems than around most: the machine was
/// another one then, and so may be what was found of the library.
std::optional<std::string> warning_of_pace(std::span<const record::Audit> launches);

/// What a message takes between ranks of one host beside the memory that they share.
struct Messages {
    std::string sentence;
    bool are_slow;  ///< all operations are, which no guideline can see: both of its sides pay
};
/// Nothing where several hosts are audited, where ranks share cores, in a simulation, and where
/// they are slow while other programs run.
std::optional<Messages> messages_within_host(const record::Header& header);

// What the starts by the global clock (--sync global, both, --arrivals) were worth.

/// Why no round in the window was kept; empty when none was dropped.
std::string reason_without_rounds(const record::WindowRecord& window);

/// Where rounds were dropped because of the clocks, or a barrier had to do.
std::vector<std::string> warnings_of_windows(std::span<const record::Audit> launches);

/// The largest error of the clocks that was seen in these audits, at their start included; seconds.
std::optional<double> worst_clock_error_s(std::span<const record::Audit> launches);

}  // namespace mpiaudit
