// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "messages/messages.h"

namespace mpiaudit {

/// Uninitialised memory for what an algorithm makes of the data at `data`, or passes on with them:
/// phantom where these are, which is while a call is recorded.
class Scratch {
  public:
    Scratch() = default;
    Scratch(std::size_t bytes, const void* data) {
        if (messages::recorder) [[unlikely]] {
            PhantomMemory& phantom = messages::recorder->phantom_memory();
            if (phantom.contains(data)) {
                address_ = phantom.allocate(bytes);
                return;
            }
        }
        memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
        address_ = memory_.get();
    }
    std::byte* get() const { return address_; }

  private:
    std::unique_ptr<std::byte[]> memory_;
    std::byte* address_ = nullptr;
};

}  // namespace mpiaudit
