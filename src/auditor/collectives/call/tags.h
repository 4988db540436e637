// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// What a message of a reference algorithm is about. Messages of two ranks match in the order in
/// which they are sent, so that one tag is enough for all data; those that may overtake data, or
/// that come from any rank, have their own. Above the tags that a program uses, because a simulated
/// rank shares its communicator with it (see private_communicator).
struct Tag {
    enum : int {
        data = 300,      ///< what the collective operation moves
        to_oneself,      ///< a copy within a rank
        block_sizes,     ///< of the blocks that come with the next data
        subtree_bytes,   ///< of a gather tree: what a subtree will send
        cube_exchange,   ///< construction of an ordered tree, Träff 2017, Lemma 3
        cube_inform,     ///< its second step
        direct_subtree,  ///< announcement of a subtree that deals with the root
        end_of_tags
    };
};

}  // namespace mpiaudit
