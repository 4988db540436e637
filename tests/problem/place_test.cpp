// SPDX-License-Identifier: BSD-3-Clause
#include "problem/workspace.h"

#include <gmock/gmock.h>

#include <sys/mman.h>

#include <array>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using enum Holding;

TEST(Use, WritesTheBlocksAndKeepsTheirContents) {
    constexpr std::size_t page = 4096, pages = 6;
    auto* const memory = static_cast<std::byte*>(
        mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory, MAP_FAILED);
    memory[3 * page] = std::byte{7};
    constexpr std::array counts{1, 0, 2}, displacements{0, 1, 3};
    Place place;
    place.data = memory;
    place.counts = counts;
    place.displacements = displacements;
    place.extent = page;
    const MemoryBlocks blocks = memory_of(std::span(&place, 1));
    EXPECT_THAT(blocks, testing::SizeIs(2));
    touch(blocks);
    // Anonymous memory is there from the first write on.
    std::array<unsigned char, pages> is_there{};
    ASSERT_EQ(mincore(memory, pages * page, is_there.data()), 0);
    EXPECT_THAT(is_there, ElementsAre(1, 0, 0, 1, 1, 0));
    EXPECT_EQ(memory[3 * page], std::byte{7});
    munmap(memory, pages * page);
}

TEST(Place, EndsBehindTheBlockThatLiesLast) {
    const std::vector<int> counts = {2, 1, 0}, displacements = {1, 0, 0};
    Place place;
    place.counts = counts;
    place.displacements = displacements;
    place.extent = 4;
    EXPECT_EQ(place.bytes_to_end(), 12U);
}

}  // namespace
}  // namespace mpiaudit
