// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How numbers look where people read them.
#include <cstddef>
#include <cstdint>
#include <string>

namespace mpiaudit {

/// Returns microseconds in at most five characters, with three or more significant digits below 100
/// seconds.
std::string microseconds(double seconds);

/// Returns "3.6 s", "0.52 s", "12 ms" or "3.1 us".
std::string time_text(double seconds);

/// Returns a ratio of times with three significant digits, near 1 with two decimals, as
/// analysis/units.py does.
std::string ratio_text(double ratio);

/// Returns three significant digits without an exponent. Narrow no-break spaces separate thousands.
std::string short_text(double value);

/// Returns a count with narrow no-break spaces between thousands, as the page has counts.
std::string separated(std::size_t count);

/// Returns bytes in binary units, as analysis/units.py does: 1536 is 1.5 KiB.
std::string bytes_text(std::int64_t bytes);

/// Returns "1 check", "2 checks".
std::string counted(std::size_t count, const std::string& word);

/// Returns a number with two digits at least and without an exponent: 0.39, 5.7, 260.
std::string two_digits(double value);

}  // namespace mpiaudit
