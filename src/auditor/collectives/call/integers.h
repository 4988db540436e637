// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

namespace mpiaudit {

/// The remainder that is not negative.
inline int modulo(int number, int size) {
    return (number % size + size) % size;
}

/// The smallest q with 2^q >= number, number > 0.
inline int ceil_log2(int number) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(number) - 1U));
}

/// The largest divisor d with d * d <= number, number > 0.
inline int largest_divisor_to_root(int number) {
    int largest = 1;
    for (int divisor = 2; divisor <= number / divisor; ++divisor)
        if (number % divisor == 0) largest = divisor;
    return largest;
}

}  // namespace mpiaudit
