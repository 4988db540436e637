// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/integers.h"

namespace mpiaudit {

/// In round 0, 1, 2, ... ranks with even numbers meet the one 1, -1, 3, -5, 11, ... places further
/// on, the numbers (1 - (-2)^(round + 1)) / 3, and those with odd numbers as far before them: with
/// a power of two of ranks two meet each other (De Sensi et al., "Swing: Short-cutting rings for
/// higher bandwidth allreduce", NSDI 2024).
inline int bine_distance(int round) {
    const int power = 1 << (round + 1);
    return (1 - (round % 2 == 0 ? -power : power)) / 3;
}

inline int bine_partner(int number, int round, int ranks) {
    return modulo(number % 2 == 0 ? number + bine_distance(round) : number - bine_distance(round),
                  ranks);
}

}  // namespace mpiaudit
