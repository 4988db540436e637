// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace mpiaudit {

/// A number of elements, or of bytes where it says so. Wide on purpose: narrowing to the int of MPI
/// happens in one checked place.
using Count = std::int64_t;

constexpr bool fits_int(Count count) {
    return count <= std::numeric_limits<int>::max();
}

/// That place. Throws std::overflow_error, which names the `unit`.
inline int narrow(Count count, const char* unit = "elements") {
    if (!fits_int(count))
        throw std::overflow_error(std::to_string(count) + " " + unit +
                                  " do not fit a count of type int");
    return static_cast<int>(count);
}

}  // namespace mpiaudit
