// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problem/count.h"

namespace mpiaudit {

// The values of options that are amounts. Each function throws std::invalid_argument that names the
// value and the remedy; the door, which has read them, names the option.

/// Sizes, comma-separated: numbers (1,10,100) and ranges with a factor (1..1Mi:x10) or a step
/// (0..100:+10), whose end belongs to them only when it is hit. Suffixes k, M, G stand for powers
/// of 1000, Ki, Mi, Gi for powers of 1024. Returned ascending and without duplicates.
std::vector<Count> parse_sizes(std::string_view text);

/// One amount of memory in bytes: an integer with a suffix as above (4Gi).
std::uint64_t parse_bytes(std::string_view text);

/// A duration in seconds: a number of seconds (90, 1.5), or amounts with the units h, m, s, ms, us
/// from the largest to the smallest (1h30m, 250ms).
double parse_duration(std::string_view text);

}  // namespace mpiaudit
