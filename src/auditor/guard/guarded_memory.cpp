// SPDX-License-Identifier: BSD-3-Clause
#include "guard/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <new>

namespace mpiaudit {
namespace {

constexpr std::size_t protected_bytes = 64U << 10U;

/// The addresses of one guarded buffer: protected pages from `start` to `data_start` and
/// from `data_end` to `end`. A signal handler reads the table, so the table never moves. Buffers
/// beyond its 256 rows are protected, too, but the message on a fault cannot name them.
struct Stretch {
    std::uintptr_t start = 0, data_start = 0, data_end = 0, end = 0;
};
std::array<Stretch, 256> stretches;

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

/// Adds a buffer to the table.
void note(void* start, std::size_t accessible_bytes) {
    for (Stretch& each : stretches) {
        if (each.start != 0) continue;
        const auto address = reinterpret_cast<std::uintptr_t>(start);
        each = {address, address + protected_bytes, address + protected_bytes + accessible_bytes,
                address + protected_bytes + accessible_bytes + protected_bytes};
        return;
    }
}

void forget(void* start) {
    for (Stretch& each : stretches) {
        if (each.start == reinterpret_cast<std::uintptr_t>(start)) each = {};
    }
}

}  // namespace

GuardedMemory guarded_memory(std::size_t bytes, Flush flush) {
    const std::size_t pages = (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
    const std::size_t all = pages + 2 * protected_bytes;
    void* const start = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    auto* const first = static_cast<std::byte*>(start) + protected_bytes;
    if (pages > 0 && mprotect(first, pages, PROT_READ | PROT_WRITE) != 0) {
        munmap(start, all);
        throw std::bad_alloc();
    }
    note(start, pages);
    const std::size_t gap = pages - bytes;
    GuardedMemory memory;
    memory.before = flush == Flush::behind ? gap : 0;
    memory.behind = gap - memory.before;
    memory.data = std::shared_ptr<std::byte>(first + memory.before, [start, all](std::byte*) {
        forget(start);
        munmap(start, all);
    });
    return memory;
}

ProtectedPlace protected_place(const void* address) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const Stretch& each : stretches) {
        if (at >= each.start && at < each.data_start) return ProtectedPlace::before_buffer;
        if (at >= each.data_end && at < each.end) return ProtectedPlace::behind_buffer;
    }
    return ProtectedPlace::none;
}

bool open_protected_pages(const void* address) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (const Stretch& each : stretches) {
        if (at < each.start || at >= each.end) continue;
        return mprotect(reinterpret_cast<void*>(each.start), each.end - each.start,
                        PROT_READ | PROT_WRITE) == 0;
    }
    return false;
}

}  // namespace mpiaudit
