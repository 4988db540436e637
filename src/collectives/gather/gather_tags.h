// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// The messages of the gather and scatter algorithms on the private communicator.
struct GatherTag {
    enum : int {
        cube_exchange = 300,
        cube_inform,
        subtree_bytes,
        gathered_blocks,
        scattered_blocks,
        own_block,
        direct_subtree,
        gathered_segment,
        partial_result
    };
};

}  // namespace mpiaudit
