// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/console.h"
#include "screens/progress.h"
#include "screens/report_rows.h"

namespace mpiaudit {
namespace {

TEST(TimeInWords, HasAUnit) {
    EXPECT_EQ(time_in_words(0), "0 s");
    EXPECT_EQ(time_in_words(0.2), "1 s");
    EXPECT_EQ(time_in_words(65), "65 s");
    EXPECT_EQ(time_in_words(1323), "23 min");
    EXPECT_EQ(time_in_words(12000), "3 h 20 min");
}

TEST(Remaining, IsWhatTheLimitLeavesWhereThatIsLess) {
    Progress progress({1, 1}, false, 10.0);
    EXPECT_LE(progress.remaining_s(), 10.0);
    EXPECT_GT(progress.remaining_s(), 0.0);
    progress.end(0, 100.0);
    EXPECT_LE(progress.remaining_s(), 10.0);
}

TEST(Remaining, IsInProportionToTheWorkThatIsLeft) {
    Progress progress({1, 2, 3, 4}, false);
    EXPECT_LT(progress.remaining_s(), 0) << "unknown";
    progress.end(0, 5.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 5.0 * (2 + 3 + 4));
    progress.end(1, 1.0);
    EXPECT_DOUBLE_EQ(progress.remaining_s(), 2.0 * (3 + 4));
    progress.end(2, 1.0);
    progress.end(3, 1.0);
    EXPECT_EQ(progress.remaining_s(), 0);
    // A problem of an earlier session tells nothing about the speed.
    Progress resumed({1, 2, 3, 4}, false);
    resumed.end(0, 0.0);
    EXPECT_LT(resumed.remaining_s(), 0);
    resumed.end(1, 6.0);
    EXPECT_DOUBLE_EQ(resumed.remaining_s(), 3.0 * (3 + 4));
}

TEST(ProgressLines, MovingLineIsOverwrittenAndCleared) {
    testing::internal::CaptureStderr();
    Progress progress({1, 1}, true);
    progress.begin("same/b=1");
    progress.end(0, 65.0);
    progress.begin("same/b=10", 0.414);
    progress.end(1, 65.0);
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "\r\033[K[---------- 1/2] same/b=1\r\033[K[#####----- 2/2, 41 % decided, 65 s left] "
              "same/b=10\r\033[K");
}

TEST(ProgressLines, MovingLineIsShorterThanTheTerminal) {
    testing::internal::CaptureStderr();
    Progress({1}, true).begin(std::string(200, 'x'));
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_EQ(line.size(), std::string("\r\033[K").size() + 79);
    EXPECT_TRUE(line.ends_with("x ...")) << line;
}

TEST(ProgressLines, QuietLineComesOnceAtTheStart) {
    testing::internal::CaptureStderr();
    Progress progress({1, 1}, false);
    progress.begin("same/b=1");
    progress.end(0, 65.0);
    progress.begin("same/b=10");
    progress.end(1, 65.0);
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "[1/2] same/b=1\n");
}

}  // namespace
}  // namespace mpiaudit
