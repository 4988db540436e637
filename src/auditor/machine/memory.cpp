// SPDX-License-Identifier: BSD-3-Clause
// Declared in machine/machine.h.
#include "machine/machine.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mpiaudit {

std::int64_t resident_bytes() {
    static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    std::array<char, 128> text{};
    if (file < 0 || pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
    char* end = nullptr;
    std::strtoll(text.data(), &end, 10);
    return std::strtoll(end, nullptr, 10) * sysconf(_SC_PAGESIZE);
}

std::int64_t allocated_bytes() {
// Other C libraries lack the macro, so the tests are nested.
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 info = mallinfo2();
    return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#endif
#endif
    return 0;
}

#ifdef __GLIBC__

void set_heap(Heap heap) {
    // The initial values of malloc, and the limits of its own adaption (mallopt(3)); either call
    // ends the adaption.
    const bool is_young = heap == Heap::young;
    mallopt(M_MMAP_THRESHOLD, is_young ? 128 << 10 : 32 << 20);
    mallopt(M_TRIM_THRESHOLD, is_young ? 128 << 10 : 64 << 20);
    // Returns free memory, which would otherwise serve the blocks that a young process must
    // request.
    if (is_young) malloc_trim(0);
}

bool can_set_heap() {
    for (const char* name : {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_TOP_PAD_",
                             "MALLOC_MMAP_MAX_"}) {
        if (std::getenv(name) != nullptr) return false;
    }
    const char* tunables = std::getenv("GLIBC_TUNABLES");
    return tunables == nullptr ||
           std::string_view(tunables).find("glibc.malloc.") == std::string_view::npos;
}

#else

void set_heap(Heap) {}

bool can_set_heap() {
    return false;
}

#endif

std::int64_t peak_bytes() {
    static const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    std::array<char, 4096> text{};
    if (file < 0 || pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
    constexpr std::string_view name = "VmHWM:";
    const std::size_t place = std::string_view(text.data()).find(name);
    if (place == std::string_view::npos) return 0;
    return std::strtoll(text.data() + place + name.size(), nullptr, 10) * 1024;
}

void forget_peak() {
    static const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    // The peak stays if the kernel refuses.
    [[maybe_unused]] const auto written = pwrite(file, "5", 1, 0);
}

}  // namespace mpiaudit
