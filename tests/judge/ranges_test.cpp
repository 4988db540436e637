// SPDX-License-Identifier: BSD-3-Clause
#include "judge/ranges.h"

#include <gmock/gmock.h>

namespace mpiaudit::judge {
namespace {

AtSize holds(double size, double time_s = 0.0) {
    return {size, false, 1.0, time_s};
}
AtSize violated(double size, double ratio, double time_s = 0.0) {
    return {size, true, ratio, time_s};
}

std::vector<std::vector<std::size_t>> ranges(const std::vector<AtSize>& sizes) {
    std::vector<std::vector<std::size_t>> all;
    for (const Range& each : violated_ranges(sizes))
        all.push_back({each.first, each.last, each.worst});
    return all;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ViolatedRanges, AreSizesNextToEachOther) {
    EXPECT_THAT(ranges({}), IsEmpty());
    EXPECT_THAT(ranges({holds(1), holds(4)}), IsEmpty());
    EXPECT_THAT(ranges({violated(1, 2.0)}), ElementsAre(ElementsAre(0, 0, 0)));
    EXPECT_THAT(ranges({holds(1), violated(4, 1.5), violated(16, 2.0), violated(64, 1.2),
                        holds(256), violated(1024, 1.1)}),
                ElementsAre(ElementsAre(1, 3, 2), ElementsAre(5, 5, 5)));
}

TEST(ViolatedRanges, AnotherReasonBeginsWhereTheRatioJumps) {
    EXPECT_THAT(ranges({violated(1, 1.2), violated(4, 900.0), violated(16, 11.0), violated(64, 3.1),
                        violated(256, 1.03)}),
                ElementsAre(ElementsAre(0, 0, 0), ElementsAre(1, 3, 1), ElementsAre(4, 4, 4)));
    EXPECT_THAT(ranges({violated(1, 3.0), violated(4, 1.0)}), ElementsAre(ElementsAre(0, 1, 0)));
}

TEST(WorthBetween, EdgesTellMostThenJumpsThenWideGaps) {
    const double edge = worth_between(holds(1), violated(4, 2.0));
    const double jump = worth_between(violated(1, 2.9), violated(4, 1.1));
    const double gap = worth_between(holds(1), holds(4));
    EXPECT_EQ(edge, 16.0);
    EXPECT_EQ(jump, 6.0);
    EXPECT_EQ(gap, 2.0);
    EXPECT_EQ(worth_between(violated(1, 2.0), holds(4)), edge);
    // What is hardly violated has edges by luck.
    EXPECT_EQ(worth_between(holds(1), violated(4, 1.06)), edge / 4);
}

TEST(WorthBetween, TimesJumpByMoreThanTheSize) {
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 7.9)), 2.0);
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 8.1)), 6.0);
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 0.7)), 2.0);
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 0.6)), 6.0);
}

TEST(WorthBetween, NothingMoreWhereTheGapIsNarrow) {
    EXPECT_EQ(worth_between(holds(100), violated(110, 9.0)), 0.0);
    EXPECT_GT(worth_between(holds(100), violated(111, 9.0)), 0.0);
    EXPECT_EQ(worth_between(holds(100, 1.0), holds(140, 9.0)), 0.0);
    EXPECT_EQ(worth_between(holds(1), holds(2)), 0.0);
    EXPECT_GT(worth_between(holds(1), holds(2.1)), 0.0);
}

}  // namespace
}  // namespace mpiaudit::judge
