// SPDX-License-Identifier: BSD-3-Clause
#include "problem/workspace.h"

#include <gmock/gmock.h>

#include <sys/mman.h>

#include "guard/guarded_memory.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using enum Holding;

constexpr Layout plain(Holding holding) {
    return {holding, false};
}
constexpr Layout padded(Holding holding) {
    return {holding, true};
}

/// Blocks of 3, 0, 5 and 2 elements with two ints each in four, root 1.
class WorkspaceTest : public testing::Test {
  protected:
    WorkspaceTest() {
        problem_.distribution = "mine";
        problem_.counts = {3, 0, 5, 2};
        problem_.root = 1;
        problem_.element = &element_;
    }
    Workspace workspace(int rank, std::set<Layout> sources, std::set<Layout> targets) const {
        return {problem_, rank, {std::move(sources), std::move(targets)}};
    }
    std::ptrdiff_t elements(std::ptrdiff_t number) const {
        return number * static_cast<std::ptrdiff_t>(element_.extent());
    }
    const Element element_{"vector"};
    Problem problem_;
};

TEST_F(WorkspaceTest, PlacesHaveTheBlocksOfTheirLayouts) {
    using Ints = std::vector<int>;
    for (int rank = 0; rank < 4; ++rank)
        for (const Holding holding :
             {scattered, rooted, replicated, contributed, prefixed, exclusively_prefixed}) {
            SCOPED_TRACE(testing::Message() << name(holding) << " on rank " << rank);
            const std::set<Layout> both{plain(holding), padded(holding)};
            const Workspace space = workspace(rank, both, both);
            const bool has_one = holding == scattered;
            const bool has_none =
                (holding == rooted && rank != 1) || (holding == exclusively_prefixed && rank == 0);
            const Ints own = {static_cast<int>(problem_.counts[static_cast<std::size_t>(rank)])};
            const Ints counts = has_none ? Ints{} : has_one ? own : Ints{3, 0, 5, 2};
            const Ints places = has_none ? Ints{} : has_one ? Ints{0} : Ints{0, 3, 3, 8};
            const Ints slots = has_none ? Ints{} : has_one ? Ints{0} : Ints{0, 5, 10, 15};
            for (const bool is_source : {true, false}) {
                const auto place = [&](Layout layout) {
                    return is_source ? space.source(layout) : space.target(layout);
                };
                const Place unpadded = place(plain(holding)), wide = place(padded(holding));
                EXPECT_EQ(unpadded.layout, plain(holding));
                EXPECT_THAT(unpadded.counts, ElementsAreArray(counts));
                EXPECT_THAT(unpadded.displacements, ElementsAreArray(places));
                EXPECT_THAT(wide.counts, ElementsAreArray(Ints(counts.size(), 5)));
                EXPECT_THAT(wide.displacements, ElementsAreArray(slots));
                EXPECT_EQ(unpadded.data == nullptr, has_none);
                // Another address would be another experiment, and the own block may grow in its
                // place.
                if (!is_source || has_one) {
                    EXPECT_EQ(wide.data, unpadded.data);
                }
            }
        }
}

TEST_F(WorkspaceTest, ExchangedBlockFromRankIToRankJHasTheSizeOfBlockIPlusJ) {
    for (int i = 0; i < 4; ++i) {
        const Workspace space =
            workspace(i, {plain(outgoing)}, {plain(incoming), padded(incoming)});
        std::vector<int> sizes, displacements;
        for (int j = 0, sum = 0; j < 4; ++j) {
            sizes.push_back(static_cast<int>(problem_.counts[static_cast<std::size_t>(i + j) % 4]));
            displacements.push_back(sum);
            sum += sizes.back();
        }
        for (const Place& place : {space.source(plain(outgoing)), space.target(plain(incoming))}) {
            EXPECT_THAT(place.counts, ElementsAreArray(sizes)) << "rank " << i;
            EXPECT_THAT(place.displacements, ElementsAreArray(displacements));
        }
        EXPECT_THAT(space.target(padded(incoming)).displacements, ElementsAre(0, 5, 10, 15));
    }
}

TEST_F(WorkspaceTest, SourcesAndTargetsAreApartAndAlignedAlike) {
    const Workspace space =
        workspace(1, {plain(scattered), plain(rooted)}, {plain(rooted), plain(replicated)});
    const std::set<std::byte*> buffers{
        space.source(plain(scattered)).data, space.source(plain(rooted)).data,
        space.target(plain(rooted)).data, space.target(plain(replicated)).data};
    EXPECT_EQ(buffers.size(), 4U);
    for (const std::byte* buffer : buffers)
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer) % 4096, 0U);
}

TEST_F(WorkspaceTest, ViewOfTheOwnBlockAmongAll) {
    const Workspace space = workspace(2, {}, {plain(replicated), padded(replicated)});
    const Place all = space.target(plain(replicated));
    const Place own = space.view(all, plain(scattered));
    EXPECT_EQ(own.layout, plain(scattered));
    EXPECT_EQ(own.data - all.data, elements(3));
    EXPECT_THAT(own.counts, ElementsAre(5));
    EXPECT_THAT(own.displacements, ElementsAre(0));
    const Place slots = space.target(padded(replicated));
    EXPECT_EQ(space.view(slots, padded(scattered)).data - slots.data, elements(10));
}

TEST_F(WorkspaceTest, AllBlocksAroundTheOwnOne) {
    const Workspace space = workspace(2, {}, {plain(replicated), padded(replicated)});
    for (const Layout layout : {plain(replicated), padded(replicated)}) {
        const Place all = space.target(layout);
        const Layout own{scattered, layout.padded};
        const Place around = space.all_blocks_of(space.view(all, own), layout);
        EXPECT_EQ(around.layout, layout);
        EXPECT_EQ(around.data, all.data);
        EXPECT_TRUE(std::ranges::equal(around.counts, all.counts));
        EXPECT_TRUE(std::ranges::equal(around.displacements, all.displacements));
        const Place of_root = space.all_blocks_of(space.view(all, own), {rooted, layout.padded});
        EXPECT_EQ(of_root.data, nullptr);
        EXPECT_EQ(of_root.counts.size(), 0U);
    }
}

TEST_F(WorkspaceTest, ViewOfTheRoot) {
    for (int rank = 0; rank < 4; ++rank) {
        const Workspace space = workspace(rank, {}, {plain(replicated)});
        const Place all = space.target(plain(replicated));
        const Place seen = space.view(all, plain(rooted));
        EXPECT_EQ(seen.layout, plain(rooted));
        EXPECT_EQ(seen.data, rank == 1 ? all.data : nullptr);
        EXPECT_EQ(seen.counts.size(), rank == 1 ? 4U : 0U);
    }
}

TEST_F(WorkspaceTest, ViewWithoutPaddingHasTheBlocksInTheirSlots) {
    const Workspace space = workspace(1, {padded(scattered)}, {padded(rooted)});
    const Place slots = space.target(padded(rooted));
    const Place blocks = space.view(slots, plain(rooted));
    EXPECT_EQ(blocks.layout, plain(rooted));
    EXPECT_EQ(blocks.data, slots.data);
    EXPECT_THAT(blocks.counts, ElementsAre(3, 0, 5, 2));
    EXPECT_THAT(blocks.displacements, ElementsAre(0, 5, 10, 15));
    const Place own = space.view(space.source(padded(scattered)), plain(scattered));
    EXPECT_THAT(own.counts, ElementsAre(0));
}

TEST_F(WorkspaceTest, WritingOutsideIsNoticedUpToAPageAndWritingTheLastByteIsNot) {
    const auto damage_by_writing = [&](bool to_target, std::ptrdiff_t behind_end) {
        const Workspace space = workspace(1, {plain(rooted)}, {padded(rooted)});
        EXPECT_EQ(space.damage(), nullptr);
        std::byte* const end = to_target ? space.target(padded(rooted)).data + elements(20)
                                         : space.source(plain(rooted)).data + elements(10);
        end[behind_end] = std::byte{1};
        const char* damage = space.damage();
        return std::string(damage == nullptr ? "" : damage);
    };
    for (const bool to_target : {false, true}) {
        const std::ptrdiff_t start = -elements(to_target ? 20 : 10);
        for (const std::ptrdiff_t inside : {std::ptrdiff_t{-1}, start})
            EXPECT_EQ(damage_by_writing(to_target, inside), "");
        for (const std::ptrdiff_t behind : {0, 31, 64, 4095})
            EXPECT_EQ(damage_by_writing(to_target, behind), "wrote behind the end of a buffer");
        for (const std::ptrdiff_t before : {-1, -64, -4096})
            EXPECT_EQ(damage_by_writing(to_target, start + before),
                      "wrote before the start of a buffer");
    }
}

TEST_F(WorkspaceTest, ScratchIsLookedAfterAsLongAsItLives) {
    Workspace space = workspace(1, {plain(rooted)}, {padded(rooted)});
    auto room = space.scratch(10), other = space.scratch(0);
    EXPECT_EQ(space.damage(), nullptr);
    room.get()[9] = std::byte{1};
    EXPECT_EQ(space.damage(), nullptr);
    room.get()[10] = std::byte{1};
    EXPECT_STREQ(space.damage(), "wrote behind the end of a buffer");
    space.clear_targets({});
    EXPECT_EQ(space.damage(), nullptr);
    other.get()[-1] = std::byte{1};
    EXPECT_STREQ(space.damage(), "wrote before the start of a buffer");
    other.reset();
    EXPECT_EQ(space.damage(), nullptr);
}

using GuardedWorkspaceTest = WorkspaceTest;

TEST_F(GuardedWorkspaceTest, BuffersHaveTheirExactSizeAndEndWhereNobodyMayGo) {
    const Needs needs{{plain(scattered)}, {plain(replicated)}};
    for (const Memory memory : {Memory::guarded_behind, Memory::guarded_before}) {
        const bool is_behind = memory == Memory::guarded_behind;
        Workspace space(problem_, 0, needs, memory);
        // The rank's own block has three elements; the slot of a padded block would have five.
        for (const auto& [place, count] : {std::pair{space.source(plain(scattered)), 3},
                                           {space.target(plain(replicated)), 10}}) {
            std::byte* const end = place.data + elements(count);
            place.data[0] = end[-1] = std::byte{1};
            EXPECT_EQ(protected_place(place.data), ProtectedPlace::none);
            EXPECT_EQ(protected_place(is_behind ? end : end + 4096), ProtectedPlace::behind_buffer);
            EXPECT_EQ(protected_place(is_behind ? place.data - 4096 : place.data - 1),
                      ProtectedPlace::before_buffer);
            (is_behind ? place.data[-1] : end[0]) = std::byte{1};
            EXPECT_STREQ(space.damage(), is_behind ? "wrote before the start of a buffer"
                                                   : "wrote behind the end of a buffer");
            space.clear_targets({});
            EXPECT_EQ(space.damage(), nullptr);
        }
        const auto room = space.scratch(10);
        EXPECT_EQ(protected_place(is_behind ? room.get() + 10 : room.get() - 1),
                  is_behind ? ProtectedPlace::behind_buffer : ProtectedPlace::before_buffer);
        // A rank that holds nothing must not touch any memory either.
        Workspace empty(problem_, 1, needs, memory);
        std::byte* const nothing = empty.source(plain(scattered)).data;
        ASSERT_NE(protected_place(nothing), ProtectedPlace::none);
        ASSERT_TRUE(open_protected_pages(nothing));
        *nothing = std::byte{1};
        EXPECT_FALSE(open_protected_pages(&empty));
    }
}

TEST_F(WorkspaceTest, ChangedCountsAreSeenAndRestoredWhereTheyAre) {
    Workspace space = workspace(1, {plain(scattered)}, {plain(replicated)});
    const Place place = space.target(plain(replicated));
    EXPECT_FALSE(space.restore_extents());
    const int right = place.counts[1];
    const_cast<int&>(place.counts[1]) = 77;
    EXPECT_TRUE(space.restore_extents());
    EXPECT_EQ(place.counts[1], right);
    const_cast<int&>(place.displacements[0]) = 77;
    EXPECT_TRUE(space.restore_extents());
    EXPECT_FALSE(space.restore_extents());
}

TEST_F(WorkspaceTest, RankWithoutDataIsGuardedToo) {
    problem_.counts = {3, 0, 0, 0};
    const Workspace space = workspace(1, {plain(scattered)}, {plain(replicated)});
    space.target(plain(replicated)).data[elements(3)] = std::byte{1};
    EXPECT_NE(space.damage(), nullptr);
}

TEST_F(WorkspaceTest, ClearingTouchesTheTargetsThatItNamesOnly) {
    Workspace space = workspace(1, {plain(rooted)}, {plain(rooted)});
    const Place source = space.source(plain(rooted));
    const Place target = space.target(plain(rooted));
    const std::byte empty = target.data[0];
    source.data[0] = target.data[0] = std::byte{1};
    target.data[elements(10) - 1] = std::byte{1};
    space.clear_targets({});
    EXPECT_EQ(target.data[0], std::byte{1});
    space.clear_targets({plain(rooted)});
    EXPECT_EQ(source.data[0], std::byte{1});
    EXPECT_EQ(target.data[0], empty);
    EXPECT_EQ(target.data[elements(10) - 1], empty);
    EXPECT_EQ(space.damage(), nullptr);
}

TEST_F(WorkspaceTest, BytesOfTheRankWithTheMostData) {
    const auto bytes = [&](const Needs& needs) { return needs.bytes(problem_); };
    EXPECT_EQ(bytes({{plain(scattered)}, {}}), elements(5));
    EXPECT_EQ(bytes({{plain(scattered), padded(scattered)}, {}}), elements(5));
    EXPECT_EQ(bytes({{plain(scattered)}, {plain(rooted)}}), elements(5 + 10));
    EXPECT_EQ(bytes({{plain(scattered)}, {plain(rooted), padded(rooted)}}), elements(5 + 20));
    Needs both{{plain(scattered)}, {plain(rooted)}};
    both.add({{plain(rooted)}, {plain(replicated)}});
    EXPECT_EQ(bytes(both), elements(5 + 10 + 10 + 10));
}

}  // namespace
}  // namespace mpiaudit
