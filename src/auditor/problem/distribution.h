// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "problem/count.h"

namespace mpiaudit {

/// The spread of a problem's elements over the ranks: a formula for the block sizes, or the block
/// sizes.
struct Distribution {
    std::string name;
    std::string summary = {};  ///< one sentence; may be empty
    std::string formula = {};  ///< see Formula; empty when the counts are explicit
    std::string source = {};   ///< paper or application that the distribution is from; may be empty
    std::map<std::string, double> parameters = {};  ///< names in the formula and their values
    std::vector<Count> counts = {};                 ///< explicit block sizes in elements

    bool is_explicit() const { return formula.empty(); }
};

/// Returns the block sizes m_0 ... m_{ranks-1} in elements. Equal arguments give equal sizes on
/// every rank. If the distribution is explicit, returns its counts and ignores block_size and seed.
///
/// Throws std::invalid_argument if a size is not a whole number from 0 to 2^53 - 1, if the number
/// of explicit counts is not `ranks`, if ranks, block_size or root are out of range, or if ranks
/// times the largest size does not fit a Count.
std::vector<Count> block_sizes(const Distribution& distribution, int ranks, Count block_size,
                               int root, std::uint64_t seed);

/// Returns the distribution with other values of parameters: "rho=10", several separated by colons.
/// The assignments become part of the name ("spikes:rho=10"), and so change the draws of u. Throws
/// std::invalid_argument for an unknown parameter or a value that is not a number.
Distribution with_parameters(Distribution distribution, const std::string& assignments);

/// Reads a distribution from the text of a file in one of these forms:
///     a JSON object {"name", "formula"} with optional "summary", "parameters", "source";
///     a JSON object {"name", "counts": [...]} with optional "summary", "source";
///     a JSON list of counts, or counts separated by white space and commas. The name is then that
///     of the file without folder and extension.
/// `origin` is the file's name. Throws std::invalid_argument, with line and column if the text is
/// malformed, for any other form and for a formula that does not compile.
Distribution parse_distribution(const std::string& text, const std::string& origin);

/// Returns the variable u of a distribution's formula: uniform in [0, 1), a function of the
/// arguments alone. So every rank can compute the draw of any rank, and the recorded seed is enough
/// to compute the block sizes again.
///
/// This recipe must not change, or recorded seeds lose their meaning. With S the output function of
/// SplitMix64, F the 64-bit FNV-1a hash of the distribution's name and h = seed:
///     for x in F, b, rank:  h = S(S(h) xor x)
///     u = floor(h / 2^11) / 2^53
double uniform_draw(std::uint64_t seed, std::string_view distribution, Count block_size, int rank);

}  // namespace mpiaudit
