// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "problem/count.h"

namespace mpiaudit {

/// How the elements of a problem are spread over the ranks: a formula, or the block sizes
/// themselves.
struct Distribution {
    std::string name;
    std::string summary = {};  ///< one sentence; may be empty
    std::string formula = {};  ///< see Formula; empty when the counts are explicit
    std::string source = {};   ///< where it comes from; may be empty
    std::map<std::string, double> parameters = {};  ///< names in the formula and their values
    std::vector<Count> counts = {};  ///< explicit block sizes, of a real application say

    bool is_explicit() const { return formula.empty(); }
};

/// The block sizes m_0 ... m_{ranks-1} in elements; the same on every rank for the same arguments.
/// Explicit counts are returned as they are, whatever block_size, root and seed.
///
/// Throws std::invalid_argument when a size is not a whole number from 0 to 2^53 - 1, when there
/// are not as many explicit counts as ranks, when ranks, block_size or root are out of range, or
/// when ranks times the largest size does not fit a Count, so that totals and padded totals do.
std::vector<Count> block_sizes(const Distribution& distribution, int ranks, Count block_size,
                               int root, std::uint64_t seed);

/// The distribution with other values of its parameters: "rho=10", several separated by colons.
/// They become part of its name ("spikes:rho=10"), and so of the draws of u.
/// Throws std::invalid_argument for an unknown parameter or a value that is not a number.
Distribution with_parameters(Distribution distribution, const std::string& assignments);

/// Reads a distribution from the text of a file:
///     {"name", "formula"} with "summary", "parameters", "source" as wanted, a JSON object,
///     {"name", "counts": [...]} with "summary", "source",
///     a bare JSON list of counts, or counts separated by white space and commas; the name is then
///     that of the file without folder and extension.
/// The origin is the file's name. Throws std::invalid_argument, with line and column where the text
/// itself is malformed, if it is none of these or the formula does not compile.
Distribution parse_distribution(const std::string& text, const std::string& origin);

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
