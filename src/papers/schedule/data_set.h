// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace mpiaudit {

/// A set of data, by number.
class DataSet {
  public:
    DataSet() = default;
    explicit DataSet(int data) : words_((static_cast<std::size_t>(data) + 63) / 64) {}

    void add(int datum) { words_[word(datum)] |= bit(datum); }
    bool has(int datum) const { return (words_[word(datum)] & bit(datum)) != 0; }
    void add(const DataSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }
    /// The lowest datum, from number `first` on, that `other` does not have, or -1.
    int first_not_in(const DataSet& other, int first = 0) const {
        std::uint64_t wanted = ~(bit(first) - 1);
        for (std::size_t i = word(first); i < words_.size(); ++i) {
            if (const std::uint64_t rest = words_[i] & ~other.words_[i] & wanted; rest != 0)
                return static_cast<int>(i * 64) + std::countr_zero(rest);
            wanted = ~std::uint64_t{0};
        }
        return -1;
    }

    /// Whether there is a datum below `limit` that `other` does not have.
    bool has_below(int limit, const DataSet& other) const {
        const std::size_t last = word(limit);
        for (std::size_t i = 0; i < last; ++i) {
            if ((words_[i] & ~other.words_[i]) != 0) return true;
        }
        return (words_[last] & ~other.words_[last] & (bit(limit) - 1)) != 0;
    }

  private:
    static std::size_t word(int datum) { return static_cast<std::size_t>(datum) / 64; }
    static std::uint64_t bit(int datum) {
        return std::uint64_t{1} << (static_cast<unsigned>(datum) % 64);
    }
    std::vector<std::uint64_t> words_;
};

}  // namespace mpiaudit
