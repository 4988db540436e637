// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/graph.h"

namespace mpiaudit {

/// How blocks travel on a torus where all ranks have their neighbours at the same offsets: the same
/// on each rank. Blocks rest in places: the first ones are those of what a rank sends, and every
/// received block gets a new one.
struct CombiningSchedule {
    /// Blocks that go together; as many come from the opposite rank.
    struct Message {
        Offset hop;
        std::vector<int> sent, received;  ///< places
    };
    std::vector<std::vector<Message>> phases;  ///< the messages of each at the same time
    int places = 0;
    std::vector<int> last;  ///< [k]: where the block is in the end that has gone as far as offset k

    int messages() const;
    int blocks() const;  ///< in all messages
    /// What the messages of a rank take one after the other, a start-up as long as so many bytes.
    std::int64_t cost(std::int64_t block_bytes, std::int64_t startup) const {
        return messages() * startup + blocks() * block_bytes;
    }
};

/// Each block straight to its rank. \param gives_one the same block goes to all
CombiningSchedule straight(std::span<const Offset> offsets, bool gives_one);

/// Each block goes dimension by dimension, with all others that go as far in it (J. L. Träff, A.
/// Carpen-Amarie, S. Hunold, A. Rougier, Message-combining algorithms for isomorphic, sparse
/// collective communication, arXiv 1606.07676): a message for each coordinate but 0 that some
/// offset has in a dimension, and a block as often as its offset has coordinates but 0. Where all
/// get the same block, it goes once to the ranks through which it goes to several; of all orders of
/// the dimensions in one with the fewest blocks.
CombiningSchedule by_dimensions(std::span<const Offset> offsets, bool gives_one);

/// by_dimensions() where that costs less than straight(), by the size of the blocks: more of them
/// are sent in fewer messages.
CombiningSchedule by_dimensions_if_short(std::span<const Offset> offsets, bool gives_one,
                                         std::int64_t block_bytes);

}  // namespace mpiaudit
