// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mpiaudit {
namespace {

#ifdef __GLIBC__

/// Blocks that malloc has asked the system for, while this one of 1 MiB is there.
std::size_t blocks_from_the_system() {
    const std::unique_ptr<char, decltype(&std::free)> block(
        static_cast<char*>(std::malloc(1 << 20)), &std::free);
    block.get()[0] = 1;
    return mallinfo2().hblks;
}

TEST(Heap, ALargeBlockComesFromTheSystemWhileTheHeapIsYoung) {
    if (mallinfo2().arena == 0) GTEST_SKIP() << "malloc is a sanitizer's";
    const std::size_t before = mallinfo2().hblks;
    set_heap(Heap::young);
    EXPECT_EQ(blocks_from_the_system(), before + 1);
    // malloc alone would keep the next one.
    EXPECT_EQ(blocks_from_the_system(), before + 1);
    set_heap(Heap::grown);
    EXPECT_EQ(blocks_from_the_system(), before);
    set_heap(Heap::young);
    EXPECT_EQ(blocks_from_the_system(), before + 1);
}

#endif

TEST(Memory, ThePeakIsForgotten) {
    constexpr std::size_t bytes = 32 << 20;
    forget_peak();
    const std::int64_t before = memory_in_use().resident_bytes;
    if (peak_bytes() == 0) GTEST_SKIP() << "nobody tells";
    EXPECT_LT(peak_bytes() - before, std::int64_t{bytes / 2});
    std::make_unique<std::vector<char>>(bytes, 'x');
    // The kernel counts pages in batches.
    EXPECT_GE(peak_bytes() - before, std::int64_t{bytes / 4 * 3});
    if (memory_in_use().resident_bytes - before > std::int64_t{bytes / 2})
        GTEST_SKIP() << "malloc keeps it";
    forget_peak();
    EXPECT_LT(peak_bytes() - before, std::int64_t{bytes / 2});
}

TEST(Heap, WhatTheEnvironmentSaysStands) {
    unsetenv("MALLOC_MMAP_THRESHOLD_");
    unsetenv("GLIBC_TUNABLES");
    const bool can = can_set_heap();
    setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=x", 1);
    EXPECT_EQ(can_set_heap(), can);
    setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=x:glibc.malloc.mmap_threshold=1", 1);
    EXPECT_FALSE(can_set_heap());
    unsetenv("GLIBC_TUNABLES");
    setenv("MALLOC_MMAP_THRESHOLD_", "1", 1);
    EXPECT_FALSE(can_set_heap());
    unsetenv("MALLOC_MMAP_THRESHOLD_");
}

}  // namespace
}  // namespace mpiaudit
