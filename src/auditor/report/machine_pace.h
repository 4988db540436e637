// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

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
/// Nothing where several hosts are audited, where ranks share cores, and in a simulation.
std::optional<Messages> messages_within_host(const record::Header& header);

}  // namespace mpiaudit
