// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "messages/messages.h"

namespace mpiaudit {

/// Starts to receive the blocks of the ranks at distances first to end - 1 below, then to send
/// theirs to the ranks at these distances above: all receives are there before anything comes.
/// Empty blocks need no message.
void start_messages(const Blocks& send, const Blocks& receive, int first, int end,
                    const Ranks& ranks, messages::Requests& requests);

}  // namespace mpiaudit
