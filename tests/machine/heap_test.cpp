// SPDX-License-Identifier: BSD-3-Clause
#include "machine/memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

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
