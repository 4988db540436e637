// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

namespace mpiaudit {

/// Returns the remainder in 0, ..., size - 1.
inline int modulo(int number, int size) {
    return (number % size + size) % size;
}

/// Returns the smallest q with 2^q >= number, number > 0.
inline int ceil_log2(int number) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(number) - 1U));
}

/// Returns the largest divisor d with d * d <= number, number > 0.
inline int largest_divisor_to_root(int number) {
    int largest = 1;
    for (int divisor = 2; divisor <= number / divisor; ++divisor)
        if (number % divisor == 0) largest = divisor;
    return largest;
}

/// Returns the largest power of two that is at most `size`, size > 0.
inline int power_of_two_below(int size) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
}

/// Returns the lowest `bits` bits of a number in reversed order.
inline int reversed_bits(int number, int bits) {
    int reversed = 0;
    for (int bit = 0; bit < bits; ++bit) reversed |= (number >> bit & 1) << (bits - 1 - bit);
    return reversed;
}

/// Returns the distance (1 - (-2)^(round + 1)) / 3 = 1, -1, 3, -5, 11, ... of the partner in a
/// round: even ranks add, odd ranks subtract the distance, so that two of a power of two of ranks
/// meet (De Sensi et al., "Swing: Short-cutting rings for higher bandwidth allreduce", NSDI 2024).
inline int bine_distance(int round) {
    const int power = 1 << (round + 1);
    return (1 - (round % 2 == 0 ? -power : power)) / 3;
}

inline int bine_partner(int number, int round, int ranks) {
    return modulo(number % 2 == 0 ? number + bine_distance(round) : number - bine_distance(round),
                  ranks);
}

}  // namespace mpiaudit
