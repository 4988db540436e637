// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// Returns the skips 1 = s[0] < s[1] < ... < s[q-1] between the ranks that communicate in the
/// broadcast of n blocks in n-1+q rounds, q = ceil(log2 ranks), followed by s[q] = ranks; each is
/// half of the next one, rounded up (Träff, "Optimal broadcast schedules in logarithmic time",
/// arXiv 2312.11236 and 2407.18004).
std::vector<int> circulant_skips(int ranks);

/// Returns for each skip the block that the rank at a distance from the root receives: one of q
/// consecutive rounds brings a new block, whose entry is its number; the others bring blocks of the
/// q rounds before, with negative entries. Takes O(q) steps without messages. A rank sends the
/// block that its receiver expects; the root, to which nobody sends, sends a new block in each
/// round.
std::vector<int> circulant_receives(const std::vector<int>& skips, int position);

/// The rounds for n blocks; all ranks use one skip per round.
class CirculantRounds {
  public:
    CirculantRounds(int skips, int blocks)
        : q_{skips}, blocks_{blocks}, first_{q_ > 0 ? (q_ - (blocks - 1) % q_) % q_ : 0} {}
    int rounds() const { return q_ > 0 ? blocks_ - 1 + q_ : 0; }
    /// Returns the index of the skip of a round.
    int skip(int round) const { return (first_ + round) % q_; }
    /// Returns the block of a schedule entry in a round; negative: none.
    int block(int entry, int round) const {
        return std::min(entry + (first_ + round) / q_ * q_ - first_, blocks_ - 1);
    }

  private:
    int q_;
    int blocks_;
    int first_;  ///< omitted empty rounds, so that the last block comes in the last rounds
};

/// The messages of this rank in the circulant broadcast of blocks from position 0.
class CirculantBroadcast {
  public:
    CirculantBroadcast(const Ranks& ranks, int blocks);
    int rounds() const { return rounds_.rounds(); }

    /// A message of a round; if there is none, `block` is negative and `rank` MPI_PROC_NULL.
    struct Message {
        int block;
        int rank;
        bool is_there() const { return block >= 0; }
    };
    Message sent(int round) const;
    Message received(int round) const;

  private:
    Message message(int entry, int round, int place) const;

    const Ranks& ranks_;
    std::vector<int> skips_;
    CirculantRounds rounds_;
    std::vector<int> sends_, receives_;  ///< entries for every skip
};

/// Returns the best number of blocks for a vector.
int circulant_blocks(const TypedBuffer& vector, const Ranks& ranks);

}  // namespace mpiaudit
