// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <new>

#include "messages/recorder.h"
#include "messages/scratch.h"

namespace mpiaudit {

using Action = Trace::Action;
using Operations = std::vector<Trace::Operation>;

/// A replay whose ranks have nothing to prepare.
inline Trace replay_calls(int ranks, const std::function<void(int rank)>& call) {
    return replay(ranks, [&](int rank) { return [&call, rank] { call(rank); }; });
}

inline std::byte* phantom(std::size_t bytes) {
    return messages::recorder->phantom_memory().allocate(bytes);
}

}  // namespace mpiaudit
