// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::rules {

// What `mpiaudit apply` and `mpiaudit prove` tell libmpiaudit-repair.so, as environment variables.

inline constexpr const char* mode_variable = "MPIAUDIT_REPAIR";  ///< on, off, count or verify
inline constexpr const char* rules_variable = "MPIAUDIT_REPAIR_RULES";
/// A file that rank 0 writes at the end: times and numbers of calls.
inline constexpr const char* report_variable = "MPIAUDIT_REPAIR_REPORT";

}  // namespace mpiaudit::rules
