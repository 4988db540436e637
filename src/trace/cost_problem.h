// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace mpiaudit {

/// The bytes of consecutive blocks, of which the first follows the last.
class BlockBytes {
  public:
    explicit BlockBytes(const std::vector<std::int64_t>& bytes) : ends_(bytes.size() + 1) {
        std::partial_sum(bytes.begin(), bytes.end(), ends_.begin() + 1);
    }
    int blocks() const { return static_cast<int>(ends_.size()) - 1; }
    std::int64_t total() const { return ends_.back(); }
    /// Of blocks first, first + 1, ..., first + n - 1 modulo the number of blocks; n is at most
    /// that number.
    std::int64_t of(int first, int n = 1) const {
        first %= blocks();
        const int last = first + n;
        if (last <= blocks()) return end(last) - end(first);
        return total() - end(first) + end(last - blocks());
    }

  private:
    std::int64_t end(int blocks) const { return ends_[static_cast<std::size_t>(blocks)]; }
    std::vector<std::int64_t> ends_;
};

/// What the cost of an algorithm depends on. Vectors (of a broadcast or a reduction) have as many
/// elements as all blocks together; in an all-to-all the block from rank i to rank j has the size
/// of block (i + j) mod p.
struct CostProblem {
    std::vector<std::int64_t> blocks;  ///< elements of every rank's block
    std::int64_t element_bytes = 1;    ///< gaps not counted
    int root = 0;
    bool is_commutative = true;  ///< the operator
    bool is_predefined = true;   ///< the operator is one of MPI's

    int ranks() const { return static_cast<int>(blocks.size()); }
    std::int64_t total() const {
        return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
    }
    std::int64_t bytes() const { return total() * element_bytes; }
    std::int64_t bytes(int rank) const {
        return blocks[static_cast<std::size_t>(rank)] * element_bytes;
    }
    std::int64_t bytes_between(int from, int to) const { return bytes((from + to) % ranks()); }
    std::vector<std::int64_t> block_bytes() const {
        std::vector<std::int64_t> bytes = blocks;
        for (std::int64_t& each : bytes) each *= element_bytes;
        return bytes;
    }
    /// The vector in `parts` parts that differ by at most one element, the larger ones first.
    std::vector<std::int64_t> even_parts(int parts) const {
        std::vector<std::int64_t> bytes;
        for (int part = 0; part < parts; ++part)
            bytes.push_back((total() / parts + (part < total() % parts)) * element_bytes);
        return bytes;
    }
};

/// The ranks counted cyclically from rank `first`.
struct Positions {
    int size;
    int first;
    int rank(int position) const { return (position + first) % size; }
};

/// Smallest power of two that is at least `number`.
constexpr int power_of_two_from(int number) {
    int power = 1;
    while (power < number) power *= 2;
    return power;
}

}  // namespace mpiaudit
