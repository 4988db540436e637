// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "problem/count.h"

namespace mpiaudit {

/// The variable u of a distribution's formula: uniform in [0, 1), a function of its arguments only,
/// so that every rank computes the draw of any rank without communication and a report's seed is
/// enough to get the block sizes back.
///
/// The recipe, which must not change lest recorded seeds lose their meaning: with S the output
/// function of SplitMix64, F the 64-bit FNV-1a hash of the distribution's name and h = seed,
///     for x in F, b, rank:  h = S(S(h) xor x)
///     u = floor(h / 2^11) / 2^53
double uniform_draw(std::uint64_t seed, std::string_view distribution, Count block_size, int rank);

}  // namespace mpiaudit
