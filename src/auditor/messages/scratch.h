// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "messages/messages.h"

namespace mpiaudit {

/// Uninitialised memory of an algorithm for user data, on the device that has these data; phantom
/// memory while a call is recorded.
class Scratch {
  public:
    Scratch() = default;
    /// \param near an address in the data that the memory will hold for a while; null: any memory
    /// of the host
    explicit Scratch(std::size_t bytes, const void* near = nullptr) {
        if (messages::recorder) [[unlikely]] {
            address_ = messages::recorder->phantom_scratch(bytes);
            if (address_ != nullptr) return;
        }
        if (messages::device_memory && near != nullptr) [[unlikely]] {
            address_ = messages::device_memory->allocate(near, bytes);
            on_device_ = {address_, messages::device_memory->release};
            if (address_ != nullptr) return;
        }
        memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
        address_ = memory_.get();
    }
    std::byte* get() const { return address_; }

  private:
    std::unique_ptr<std::byte[]> memory_;
    std::unique_ptr<std::byte, void (*)(std::byte*)> on_device_{nullptr, nullptr};
    std::byte* address_ = nullptr;
};

/// While this object lives, operations work on control data, and Scratch allocates real memory even
/// while a call is recorded. Use it in algorithms that call others to decide how to go on.
class OnControlData {
  public:
    OnControlData() {
        if (messages::recorder) messages::recorder->set_on_control_data(true);
    }
    OnControlData(const OnControlData&) = delete;
    OnControlData& operator=(const OnControlData&) = delete;
    ~OnControlData() {
        if (messages::recorder) messages::recorder->set_on_control_data(false);
    }
};

}  // namespace mpiaudit
