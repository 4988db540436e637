// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// The skips 1 = s[0] < s[1] < ... < s[q-1] between the ranks that send to each other in the
/// broadcast of n blocks in n-1+q rounds, q = ceil(log2 ranks), and behind them s[q] = ranks; each
/// is half of the next one, rounded up (Träff, "Optimal broadcast schedules in logarithmic time",
/// arXiv 2312.11236 and 2407.18004).
std::vector<int> circulant_skips(int ranks);

/// Which blocks the rank that is at a distance from the root on the ring receives, for each skip:
/// of q rounds in a row one brings the block that is as new as the entry, the others bring those of
/// the q rounds before, whose entries are negative. In O(q) steps, without messages. That a rank
/// sends is what the receiver's schedule says, and from the root, to whom nobody sends, as many
/// blocks as there are rounds.
std::vector<int> circulant_receives(const std::vector<int>& skips, int position);

/// The rounds of n blocks, all with the same skip in one round.
class CirculantRounds {
  public:
    CirculantRounds(int skips, int blocks)
        : q_{skips}, blocks_{blocks}, first_{q_ > 0 ? (q_ - (blocks - 1) % q_) % q_ : 0} {}
    int rounds() const { return q_ > 0 ? blocks_ - 1 + q_ : 0; }
    /// Which skip a round takes.
    int skip(int round) const { return (first_ + round) % q_; }
    /// The block that an entry of a schedule means in a round; negative: none.
    int block(int entry, int round) const {
        return std::min(entry + (first_ + round) / q_ * q_ - first_, blocks_ - 1);
    }

  private:
    int q_;
    int blocks_;
    int first_;  ///< empty rounds that are left out, so that the last block comes in the last ones
};

/// What the rank at a position does in the circulant broadcast of blocks from position 0.
class CirculantBroadcast {
  public:
    CirculantBroadcast(const Ranks& ranks, int blocks);
    int rounds() const { return rounds_.rounds(); }

    /// A message of a round; without one `block` is negative and the rank MPI_PROC_NULL.
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

/// How many blocks are best for a vector of some elements.
int circulant_blocks(const TypedBuffer& vector, const Ranks& ranks);

}  // namespace mpiaudit
