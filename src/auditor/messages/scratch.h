// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "messages/messages.h"

namespace mpiaudit {

/// Uninitialised memory of an algorithm for data of its caller; phantom while a call is recorded.
class Scratch {
  public:
    Scratch() = default;
    explicit Scratch(std::size_t bytes) {
        if (messages::recorder) [[unlikely]] {
            address_ = messages::recorder->phantom_scratch(bytes);
            if (address_ != nullptr) return;
        }
        memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
        address_ = memory_.get();
    }
    std::byte* get() const { return address_; }

  private:
    std::unique_ptr<std::byte[]> memory_;
    std::byte* address_ = nullptr;
};

/// While it lives, the operations are on data that steer an algorithm, and scratch memory is there
/// also while a call is recorded: for algorithms that call others for their own purposes.
class OnSteeringData {
  public:
    OnSteeringData() {
        if (messages::recorder) messages::recorder->set_steering(true);
    }
    OnSteeringData(const OnSteeringData&) = delete;
    OnSteeringData& operator=(const OnSteeringData&) = delete;
    ~OnSteeringData() {
        if (messages::recorder) messages::recorder->set_steering(false);
    }
};

}  // namespace mpiaudit
