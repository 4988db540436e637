// SPDX-License-Identifier: BSD-3-Clause
#include "report/progress.h"

#include <gtest/gtest.h>

namespace mpiaudit {
namespace {

TEST(ClockTime, MinutesAndHours) {
    EXPECT_EQ(clock_time(0), "0:00");
    EXPECT_EQ(clock_time(0.2), "0:01");
    EXPECT_EQ(clock_time(7), "0:07");
    EXPECT_EQ(clock_time(59.5), "1:00");
    EXPECT_EQ(clock_time(750), "12:30");
    EXPECT_EQ(clock_time(3599.9), "1:00:00");
    EXPECT_EQ(clock_time(3723), "1:02:03");
    EXPECT_EQ(clock_time(360000), "100:00:00");
}

TEST(Remaining, IsUnknownBeforeAnythingWasMeasured) {
    EXPECT_LT(Progress({1, 2, 3}, false).remaining_s(), 0);
}

TEST(Remaining, IsInProportionToTheWorkThatIsLeft) {
    Progress progress({1, 2, 3, 4}, false);
    progress.end(0, 5.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 5.0 * (2 + 3 + 4));
    progress.end(1, 1.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 2.0 * (3 + 4));
    progress.end(2, 1.0);
    progress.end(3, 1.0);
    EXPECT_EQ(progress.remaining_s(), 0);
}

TEST(Remaining, ProblemsOfAnEarlierSessionTellNothingAboutTheSpeed) {
    Progress progress({1, 2, 3, 4}, false);
    progress.end(0, 0.0);
    EXPECT_LT(progress.remaining_s(), 0);
    progress.end(1, 6.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 3.0 * (3 + 4));
}

TEST(ProgressLines, MovingLineIsOverwrittenAndCleared) {
    testing::internal::CaptureStderr();
    Progress progress({1, 1}, true);
    progress.begin(0, "same/b=1");
    progress.end(0, 65.0);
    progress.begin(1, "same/b=10");
    progress.end(1, 65.0);
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "\r\033[K[1/2] same/b=1\r\033[K[2/2] same/b=10, about 1:05 left\r\033[K");
}

TEST(ProgressLines, QuietLineComesOnceAtTheStart) {
    testing::internal::CaptureStderr();
    Progress progress({1, 1}, false);
    progress.begin(0, "same/b=1");
    progress.end(0, 65.0);
    progress.begin(1, "same/b=10");
    progress.end(1, 65.0);
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "[1/2] same/b=1\n");
}

}  // namespace
}  // namespace mpiaudit
