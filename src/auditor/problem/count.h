// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace mpiaudit {

/// A number of elements (or of bytes, where a name says so). Counts have 64 bits; narrow() alone
/// converts them to the int of MPI.
using Count = std::int64_t;

constexpr bool fits_int(Count count) {
    return count <= std::numeric_limits<int>::max();
}

/// Converts a count to int. Throws std::overflow_error, which names the `unit`, if the count does
/// not fit.
inline int narrow(Count count, const char* unit = "elements") {
    if (!fits_int(count))
        throw std::overflow_error(std::to_string(count) + " " + unit +
                                  " do not fit a count of type int");
    return static_cast<int>(count);
}

}  // namespace mpiaudit
