// SPDX-License-Identifier: BSD-3-Clause
#include "problem/workspace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace mpiaudit {
namespace {

using testing::Optional;
using testing::StartsWith;
using enum Holding;

constexpr std::array moved_holdings = {scattered, rooted, replicated, outgoing, incoming};

class ContentsTest : public testing::TestWithParam<std::string> {
  protected:
    ContentsTest() {
        problem_.distribution = "mine";
        problem_.counts = {3, 0, 5, 3};
        problem_.root = 1;
        problem_.element = &element_;
    }
    Workspace workspace(int rank, Layout layout) const { return {problem_, rank, {{}, {layout}}}; }
    std::byte* at(const Place& place, std::size_t block, std::size_t position) const {
        return place.data + (static_cast<std::size_t>(place.displacements[block]) + position) *
                                element_.extent();
    }
    const Element element_{GetParam()};
    Problem problem_;
    const Contents contents_{problem_, scattered};
};

TEST(Contents, ASumThatSaturatesIsCalledSo) {
    const Element element("unsigned-short");
    const Operator sum("sum");
    Problem problem;
    problem.counts = {3, 3};
    problem.element = &element;
    problem.op = &sum;
    const Workspace space(problem, 0, {{}, {{replicated, false}}});
    const Place place = space.target({replicated, false});
    const Contents contents(problem, contributed);
    for (const std::uint64_t wrong : {std::uint64_t{0xffff}, std::uint64_t{0x8000}}) {
        contents.write(place, 0);
        element.store(place.data, wrong);
        EXPECT_EQ(contents.find_error(place, 0).value().ends_with(sum_saturates), wrong == 0xffff);
    }
}

TEST_P(ContentsTest, WhatIsWrittenIsRight) {
    for (const Holding holding : moved_holdings) {
        for (const bool padded : {false, true}) {
            for (int rank = 0; rank < 4; ++rank) {
                const Workspace space = workspace(rank, {holding, padded});
                const Place place = space.target({holding, padded});
                contents_.write(place, rank);
                EXPECT_EQ(contents_.find_error(place, rank), std::nullopt) << name(place.layout);
            }
        }
    }
}

TEST_P(ContentsTest, EveryElementThatIsFlippedOrLeftStaleIsFoundAndNamed) {
    const Workspace space = workspace(1, {rooted, false});
    const Place place = space.target({rooted, false});
    std::vector<std::byte> stale(element_.extent()), right = stale, wrong = stale;
    for (std::size_t block = 0; block < 4; ++block) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(problem_.counts[block]); ++k) {
            std::byte* const element = at(place, block, k);
            contents_.write_stale(place, 1);
            std::memcpy(stale.data(), element, stale.size());
            contents_.write(place, 1);
            std::memcpy(right.data(), element, right.size());
            const std::string start =
                fmt::format("rank 1, rooted: element {} of block {} is ", k, block);
            element[0] ^= std::byte{1};
            // The first bytes of the element with several lengths at uneven distances are a gap.
            if (GetParam() == "indexed") element[sizeof(int)] ^= std::byte{1};
            std::memcpy(wrong.data(), element, wrong.size());
            EXPECT_EQ(contents_.find_error(place, 1), start + element_.describe(wrong.data()) +
                                                          ", not " +
                                                          element_.describe(right.data()));
            std::memcpy(element, stale.data(), stale.size());
            EXPECT_THAT(contents_.find_error(place, 1), Optional(StartsWith(start)));
        }
    }
}

TEST_P(ContentsTest, WhatStandsInAnothersPlaceIsFound) {
    const Workspace space = workspace(1, {rooted, false}), other = workspace(0, {scattered, false});
    const Place place = space.target({rooted, false}), own = other.target({scattered, false});
    const auto exchange = [&](std::byte* one, std::byte* another, std::size_t elements) {
        contents_.write(place, 1);
        std::swap_ranges(one, one + elements * element_.extent(), another);
    };
    exchange(at(place, 0, 0), at(place, 3, 0), 3);
    EXPECT_THAT(contents_.find_error(place, 1),
                Optional(StartsWith("rank 1, rooted: element 0 of block 0 is ")));
    exchange(at(place, 2, 3), at(place, 2, 4), 1);
    EXPECT_THAT(contents_.find_error(place, 1),
                Optional(StartsWith("rank 1, rooted: element 3 of block 2 is ")));
    contents_.write(own, 3);  // of equal size
    EXPECT_THAT(contents_.find_error(own, 0),
                Optional(StartsWith("rank 0, scattered: element 0 of block 0 is ")));
}

TEST_P(ContentsTest, SegmentsOfABlockThatChangePlacesAreFound) {
    problem_.counts = {1 << 17, 0, 0, 0};
    const Workspace space = workspace(1, {rooted, false});
    const Place place = space.target({rooted, false});
    for (std::size_t segment = 1; segment < 1 << 17; segment *= 2) {
        contents_.write(place, 1);
        std::swap_ranges(place.data, at(place, 0, std::min<std::size_t>(segment, 4)),
                         at(place, 0, segment));
        EXPECT_NE(contents_.find_error(place, 1), std::nullopt) << segment;
    }
}

TEST_P(ContentsTest, PaddingHasNoContents) {
    for (const Holding holding : moved_holdings) {
        const Workspace space = workspace(1, {holding, true});
        const Place place = space.target({holding, true});
        const auto bytes = static_cast<std::size_t>(place.span()) * element_.extent();
        contents_.write(place, 1);
        std::memset(place.data, 0x3c, bytes);
        contents_.write(place, 1);
        // Elements that kept the 0x3c are padding: 4 slots of 5 for 11 elements, or one for none.
        std::size_t untouched = 0;
        const std::vector<std::byte> blank(element_.extent(), std::byte{0x3c});
        for (int k = 0; k < place.span(); ++k)
            untouched += std::memcmp(at(place, 0, static_cast<std::size_t>(k)), blank.data(),
                                     blank.size()) == 0;
        EXPECT_EQ(untouched, holding == scattered ? 5U : 20U - 11U) << name(holding);
        EXPECT_EQ(contents_.find_error(place, 1), std::nullopt) << name(holding);
    }
}

TEST_P(ContentsTest, WhatARankSendsIsWhatTheOtherReceives) {
    for (const bool padded : {false, true}) {
        for (int i = 0; i < 4; ++i) {
            const Workspace receiver = workspace(i, {incoming, padded});
            const Place received = receiver.target({incoming, padded});
            for (int j = 0; j < 4; ++j) {
                const Workspace sender = workspace(j, {outgoing, padded});
                const Place sent = sender.target({outgoing, padded});
                contents_.write(sent, j);
                const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(j);
                ASSERT_EQ(sent.counts[from], received.counts[to]);
                std::memcpy(at(received, to, 0), at(sent, from, 0),
                            static_cast<std::size_t>(sent.counts[from]) * element_.extent());
            }
            EXPECT_EQ(contents_.find_error(received, i), std::nullopt);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Elements, ContentsTest,
                         testing::Values("int", "double", "byte", "indexed", "struct",
                                         "alternating"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace mpiaudit
