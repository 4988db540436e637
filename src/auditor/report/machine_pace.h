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

}  // namespace mpiaudit
