// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/bcast/circulant_schedule.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// What the rank at a position does in the circulant broadcast of blocks from position 0.
class CirculantBroadcast {
  public:
    CirculantBroadcast(const Ranks& ranks, int blocks);
    int rounds() const { return rounds_.rounds(); }

    /// A message of a round; without one `block` is negative.
    struct Message {
        int block;
        int rank;
        bool is_there() const { return block >= 0; }
    };
    Message sent(int round) const;
    Message received(int round) const;

  private:
    const Ranks& ranks_;
    std::vector<int> skips_;
    CirculantRounds rounds_;
    std::vector<int> sends_, receives_;  ///< entries for every skip
};

/// How many blocks are best for a vector of some elements.
int circulant_blocks(const Blocks& vector, const Ranks& ranks);

}  // namespace mpiaudit
