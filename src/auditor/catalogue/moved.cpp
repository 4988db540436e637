// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/moved.h"

#include <span>

#include "device/device.h"
#include "messages/messages.h"

namespace mpiaudit {

MovedPlace::MovedPlace(const Place& place, MemoryKind kind)
    : here_{place}, there_{place}, blocks_{memory_of(std::span(&place, 1))} {
    if (place.data == nullptr || device::kind_of(place.data) == kind) return;
    memory_ = device::allocate(kind, place.bytes_to_end());
    there_.data = memory_.get();
}

void MovedPlace::copy(const Place& from, const Place& to) const {
    if (memory_ == nullptr) return;
    for (const auto& block : blocks_) {
        const auto offset = block.data() - here_.data;
        messages::copy(to.data + offset, from.data + offset, block.size());
    }
}

Step moved(MemoryKind kind, const Instance& instance, const Place& from, Layout to, Step step,
           const Prepare& prepare) {
    const Place result = step.result;
    const bool stays = result.data != nullptr && result.data == from.data;
    const MovedPlace sent(from, kind), received(result, kind);
    Instance there = instance;
    there.destination = &received.there();
    there.is_on_host = kind == MemoryKind::host;
    step.call = [=, call = prepare(there, sent.there(), to).call] {
        sent.copy_there();
        call();
        if (!stays) received.copy_back();
    };
    return step;
}

}  // namespace mpiaudit
