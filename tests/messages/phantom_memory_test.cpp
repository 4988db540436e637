// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <new>

#include "messages/recorder.h"
#include "messages/replayed_calls.h"
#include "messages/scratch.h"
#include "zero_copy/persistent_requests.h"

namespace mpiaudit {
namespace {

TEST(PhantomMemory, KnowsItsAddresses) {
    PhantomMemory phantom;
    constexpr std::size_t bytes = std::size_t{1} << 33U;  // More than this machine need have.
    std::byte* const first = phantom.allocate(bytes);
    std::byte* const second = phantom.allocate(0);
    EXPECT_TRUE(phantom.contains(first));
    EXPECT_TRUE(phantom.contains(first + bytes));
    EXPECT_TRUE(phantom.contains(second));
    EXPECT_GT(second, first + bytes);
    const std::array<std::byte, 1> real{};
    EXPECT_FALSE(phantom.contains(real.data()));
    EXPECT_FALSE(phantom.contains(nullptr));
    phantom.clear();
    EXPECT_EQ(phantom.allocate(1), first);
}

TEST(PhantomMemory, HasAnEnd) {
    PhantomMemory phantom;
    EXPECT_THROW(phantom.allocate(std::size_t{1} << 41U), std::bad_alloc);
}

TEST(PhantomMemoryDeathTest, NobodyCanReadOrWriteIt) {
    EXPECT_DEATH(
        {
            PhantomMemory phantom;
            *phantom.allocate(8) = std::byte{1};
        },
        "");
}

}  // namespace
}  // namespace mpiaudit
