// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <ranges>

namespace mpiaudit {

/// A position in the tree over positions 0, ..., size - 1 in which the parent of a position lacks
/// the lowest of its digits that is not 0, in base `radix`; with base 2 the binomial tree. The
/// subtree of a position consists of consecutive positions from it on.
class KnomialTree {
  public:
    /// One for all machines, as what is audited would else be another algorithm in each audit.
    static constexpr int radix = 4;

    KnomialTree(int position, int size) : position_{position}, size_{size} {
        while (weight_ < size && position % (weight_ * radix) == 0) weight_ *= radix;
    }

    /// That of the lowest digit that is not 0; of position 0 the first that is at least the size.
    int weight() const { return weight_; }
    /// Of every position but 0.
    int parent() const { return position_ - position_ % (weight_ * radix); }
    /// Those that differ in the digit with this weight, which is below weight(), ascending.
    auto children(int weight) const {
        const int last = std::min(radix - 1, (size_ - 1 - position_) / weight);
        return std::views::iota(1, last + 1) |
               std::views::transform(
                   [position = position_, weight](int digit) { return position + digit * weight; });
    }
    bool is_leaf() const { return weight_ == 1 || position_ + 1 == size_; }

  private:
    int position_, size_;
    int weight_ = 1;
};

}  // namespace mpiaudit
