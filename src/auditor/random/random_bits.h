// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mpiaudit {

/// The output function of SplitMix64 (Steele, Lea, Flood 2014) for counter `x`: a bijection that
/// makes independent-looking bits of consecutive numbers. The bits are equal on all ranks and
/// machines, unlike the distributions of the standard library.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// Mixes a further number into a seed, so that (a, b) and (b, a) differ.
constexpr std::uint64_t mix_bits(std::uint64_t seed, std::uint64_t x) {
    return mix_bits(mix_bits(seed) ^ x);
}

/// Fowler-Noll-Vo hash, variant 1a; unlike std::hash equal on every platform.
constexpr std::uint64_t hash_bits(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001b3U;
    }
    return hash;
}

/// Added to the seed of the order for the young heap of --heap both, and for the comparison of both
/// heaps.
constexpr std::uint64_t other_heap = 2;
constexpr std::uint64_t comparison_of_heaps = 3;
/// Added to the seed of the order for the rounds that look for long calls.
constexpr std::uint64_t rounds_for_tails = 4;

/// Returns the seed for the orders of one problem's rounds.
std::uint64_t rounds_seed(std::uint64_t order_seed, const std::string& problem_id);

/// Returns the seed of the coin of one check. Judging the samples again uses the same coin.
std::uint64_t coin_seed(std::uint64_t order_seed, const std::string& problem_id,
                        const std::string& guideline_id);

}  // namespace mpiaudit
