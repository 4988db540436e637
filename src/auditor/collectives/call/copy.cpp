// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/copy.h"

#include <cstring>

#include "messages/messages.h"

namespace mpiaudit {
namespace {

void copy_bytes(const TypedBuffer& from, const TypedBuffer& to, const ByteRange& range) {
    if (range.bytes() > 0)
        messages::copy(displaced(to.address, range.begin), displaced(from.address, range.begin),
                       static_cast<std::size_t>(range.bytes()));
}

}  // namespace

void copy_to_oneself(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks) {
    const bool is_one_type = from.type == to.type;
    if (is_one_type && is_gapless(to.type))
        copy_bytes(from, to, data_range(from.count, from.type));
    else if (!is_one_type && is_dense(from.type) && is_dense(to.type))
        copy_bytes(from, to, {0, from.count * type_bytes(from.type)});
    else if (from.count > 0)
        send_to_oneself(from, to, ranks);
}

void pack(const TypedBuffer& from, std::span<std::byte> packed, int& position, const Ranks& ranks) {
    if (from.count == 0) return;
    if (!messages::recorder && is_dense(from.type)) {
        const auto bytes = static_cast<std::size_t>(from.count * type_bytes(from.type));
        std::memcpy(&packed[static_cast<std::size_t>(position)], from.address, bytes);
        position += static_cast<int>(bytes);
        return;
    }
    messages::pack(from.address, from.count, from.type, packed.data(),
                   static_cast<int>(packed.size()), &position, ranks.comm);
}

void unpack(std::span<const std::byte> packed, int& position, const TypedBuffer& to,
            const Ranks& ranks) {
    if (to.count == 0) return;
    if (!messages::recorder && is_dense(to.type)) {
        const auto bytes = static_cast<std::size_t>(to.count * type_bytes(to.type));
        std::memcpy(to.address, &packed[static_cast<std::size_t>(position)], bytes);
        position += static_cast<int>(bytes);
        return;
    }
    messages::unpack(packed.data(), static_cast<int>(packed.size()), &position, to.address,
                     to.count, to.type, ranks.comm);
}

void send_to_oneself(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks) {
    ranks.exchange(from, ranks.rank, to, ranks.rank, Tag::to_oneself);
}

}  // namespace mpiaudit
