// SPDX-License-Identifier: BSD-3-Clause
#include "problem/uniform_draw.h"

#include "random/random_bits.h"

namespace mpiaudit {
double uniform_draw(std::uint64_t seed, std::string_view distribution, Count block_size, int rank) {
    std::uint64_t hash = mix_bits(seed, hash_bits(distribution));
    hash = mix_bits(hash, static_cast<std::uint64_t>(block_size));
    hash = mix_bits(hash, static_cast<std::uint64_t>(rank));
    // A double holds 53 bits exactly: with more, u could round up to 1.
    return static_cast<double>(hash >> 11) * 0x1p-53;
}

}  // namespace mpiaudit
