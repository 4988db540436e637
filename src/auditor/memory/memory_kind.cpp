// SPDX-License-Identifier: BSD-3-Clause
#include "memory/memory_kind.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace mpiaudit {
namespace {

constexpr std::array<std::string_view, 4> names = {"host", "cuda", "managed", "hip"};

MemoryKind read_kind(const std::string& text, const std::string& whole) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
        throw std::invalid_argument(
            "'" + whole +
            "' is no memory kind; give host, cuda, managed or hip, or two kinds for the send and "
            "the receive buffer, as in cuda,host");
    return static_cast<MemoryKind>(found - names.begin());
}

}  // namespace

std::string_view name(MemoryKind kind) {
    return names[static_cast<std::size_t>(kind)];
}

std::string MemoryKinds::text() const {
    const std::string both = std::string(name(sent)).append(",").append(name(received));
    return sent == received ? std::string(name(sent)) : both;
}

MemoryKinds MemoryKinds::read(const std::string& text) {
    const std::size_t comma = text.find(',');
    MemoryKinds kinds;
    kinds.sent = read_kind(text.substr(0, comma), text);
    kinds.received =
        comma == std::string::npos ? kinds.sent : read_kind(text.substr(comma + 1), text);
    const auto is_hip = [](MemoryKind kind) { return kind == MemoryKind::hip; };
    const auto is_cuda = [](MemoryKind kind) {
        return kind == MemoryKind::cuda || kind == MemoryKind::managed;
    };
    if ((is_hip(kinds.sent) && is_cuda(kinds.received)) ||
        (is_cuda(kinds.sent) && is_hip(kinds.received)))
        throw std::invalid_argument("'" + text +
                                    "' names devices of two vendors; give kinds of one vendor, as "
                                    "in cuda,managed");
    return kinds;
}

}  // namespace mpiaudit
