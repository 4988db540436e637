// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/copy.h"

#include "collectives/call/address.h"
#include "collectives/call/tags.h"
#include "collectives/datatypes/layout.h"
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

void send_to_oneself(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks) {
    messages::exchange(from.address, from.count, from.type, ranks.rank, Tag::to_oneself, to.address,
                       to.count, to.type, ranks.rank, Tag::to_oneself, ranks.comm);
}

}  // namespace mpiaudit
