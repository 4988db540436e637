// SPDX-License-Identifier: BSD-3-Clause
#include "problem/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>

#include "problem/formula.h"
#include "random/random_bits.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A double cannot represent every integer from 2^53 on.
constexpr double first_inexact_integer = 0x1p53;

void check_arguments(const Distribution& distribution, int ranks, Count block_size, int root) {
    const std::string owner = fmt::format("distribution '{}'", distribution.name);
    if (ranks < 1) throw make_invalid_argument("{}: {} ranks; at least 1 is needed", owner, ranks);
    if (root < 0 || root >= ranks)
        throw make_invalid_argument("{}: root {} is none of the {} ranks; use 0 to {}", owner, root,
                                    ranks, ranks - 1);
    if (distribution.is_explicit()) return;
    if (block_size < 1 || static_cast<double>(block_size) >= first_inexact_integer)
        throw make_invalid_argument("{}: block size b = {}; use 1 to 2^53 - 1", owner, block_size);
}

/// Returns the counts of the distribution. Throws std::invalid_argument if their number is not the
/// number of ranks or one is negative.
std::vector<Count> explicit_sizes(const Distribution& distribution, int ranks) {
    if (distribution.counts.size() != static_cast<std::size_t>(ranks))
        throw make_invalid_argument(
            "distribution '{}' has {} counts, but there are {} ranks; start {} ranks or give {} "
            "counts",
            distribution.name, distribution.counts.size(), ranks, distribution.counts.size(),
            ranks);
    const auto negative = std::find_if(distribution.counts.begin(), distribution.counts.end(),
                                       [](Count count) { return count < 0; });
    if (negative != distribution.counts.end())
        throw make_invalid_argument(
            "distribution '{}': rank {} has count {}; counts are non-negative", distribution.name,
            negative - distribution.counts.begin(), *negative);
    return distribution.counts;
}

std::vector<Count> formula_sizes(const Distribution& distribution, int ranks, Count block_size,
                                 int root, std::uint64_t seed) {
    Formula formula(fmt::format("distribution '{}'", distribution.name), distribution.formula,
                    distribution.parameters);
    std::vector<Count> sizes(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        const double value =
            formula.evaluate({.i = static_cast<double>(rank),
                              .p = static_cast<double>(ranks),
                              .b = static_cast<double>(block_size),
                              .root = static_cast<double>(root),
                              .u = uniform_draw(seed, distribution.name, block_size, rank)});
        // This condition is negated so that NaN fails.
        if (!(value >= 0 && value < first_inexact_integer && value == std::floor(value)))
            throw make_invalid_argument(
                "distribution '{}': its formula '{}' gives rank {} at b = {} a block size of {}; "
                "it must give a whole number from 0 to 2^53 - 1 (floor and ceil round)",
                distribution.name, distribution.formula, rank, block_size, value);
        sizes[static_cast<std::size_t>(rank)] = static_cast<Count>(value);
    }
    return sizes;
}

/// Throws if the number of ranks times the largest block does not fit a Count.
void check_padded_total(const Distribution& distribution, const std::vector<Count>& sizes) {
    const Count largest = *std::max_element(sizes.begin(), sizes.end());
    if (largest > std::numeric_limits<Count>::max() / static_cast<Count>(sizes.size()))
        throw make_invalid_argument(
            "distribution '{}': {} blocks of up to {} elements are more than 2^63 - 1 elements in "
            "all; use smaller blocks",
            distribution.name, sizes.size(), largest);
}

double parse_value(const std::string& owner, std::string_view assignment, std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !std::isfinite(value))
        throw make_invalid_argument("{}: '{}': '{}' is not a number", owner, assignment, text);
    return value;
}

}  // namespace

std::vector<Count> block_sizes(const Distribution& distribution, int ranks, Count block_size,
                               int root, std::uint64_t seed) {
    check_arguments(distribution, ranks, block_size, root);
    const std::vector<Count> sizes =
        distribution.is_explicit() ? explicit_sizes(distribution, ranks)
                                   : formula_sizes(distribution, ranks, block_size, root, seed);
    check_padded_total(distribution, sizes);
    return sizes;
}

Distribution with_parameters(Distribution distribution, const std::string& assignments) {
    const std::string owner = fmt::format("distribution '{}'", distribution.name);
    std::vector<std::string> valid;
    for (const auto& entry : distribution.parameters) valid.push_back(entry.first);
    std::set<std::string> assigned;
    std::string_view rest = assignments;
    while (true) {
        const std::string_view assignment = rest.substr(0, rest.find(':'));
        const auto equals = assignment.find('=');
        if (equals == std::string_view::npos)
            throw make_invalid_argument(
                "{}: '{}' does not set a parameter; write NAME=NUMBER, several separated by colons",
                owner, assignment);
        const std::string name(assignment.substr(0, equals));
        const auto parameter = distribution.parameters.find(name);
        if (parameter == distribution.parameters.end())
            throw std::invalid_argument(owner + ": " + unknown_name("parameter", name, valid));
        if (!assigned.insert(name).second)
            throw make_invalid_argument("{}: '{}' sets '{}' twice", owner, assignments, name);
        parameter->second = parse_value(owner, assignment, assignment.substr(equals + 1));
        if (assignment.size() == rest.size()) break;
        rest.remove_prefix(assignment.size() + 1);
    }
    distribution.name += ":" + assignments;
    return distribution;
}

double uniform_draw(std::uint64_t seed, std::string_view distribution, Count block_size, int rank) {
    std::uint64_t hash = mix_bits(seed, hash_bits(distribution));
    hash = mix_bits(hash, static_cast<std::uint64_t>(block_size));
    hash = mix_bits(hash, static_cast<std::uint64_t>(rank));
    // A double holds 53 bits exactly; more bits could round u up to 1.
    return static_cast<double>(hash >> 11) * 0x1p-53;
}

}  // namespace mpiaudit
