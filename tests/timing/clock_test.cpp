// SPDX-License-Identifier: BSD-3-Clause
#include "timing/clock.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

using testing::ElementsAre;

TEST(Clock, IsFoundByName) {
    EXPECT_THAT(clock_names(), ElementsAre("mpi", "monotonic"));
    for (const std::string& name : clock_names()) {
        const auto clock = find_clock(name);
        ASSERT_TRUE(clock);
        EXPECT_EQ(clock->name, name);
        const double first = clock->now();
        EXPECT_GE(clock->now(), first);
    }
    EXPECT_FALSE(find_clock("MPI"));
    EXPECT_FALSE(find_clock(""));
}

// A clock that ticks on every fourth reading, by 3 s or by 5 s.
int readings = 0;
double ticking() {
    const int ticks = readings++ / 4;
    return 3.0 * (ticks / 2) + 5.0 * ((ticks + 1) / 2);
}

TEST(ClockQuality, ResolutionIsTheSmallestStepThatIsNotZero) {
    readings = 0;
    EXPECT_EQ(measure({"ticking", ticking}).resolution_s, 3.0);
}

TEST(ClockQuality, TimeOfAReadingIsThatOfAllReadingsTogether) {
    readings = 0;
    // Eight readings take 8 s; the first and the last tick make the difference.
    EXPECT_NEAR(measure({"ticking", ticking}).read_s, 1.0, 0.01);
}

TEST(ClockQuality, ClockThatStandsStillEndsTheMeasurementWithoutAResolution) {
    const ClockQuality quality = measure({"standing", [] { return 7.0; }});
    EXPECT_EQ(quality.resolution_s, 0.0);
    EXPECT_EQ(quality.read_s, 0.0);
    EXPECT_FALSE(quality.goes_back);
}

TEST(ClockQuality, AClockThatIsSetBackIsNoticed) {
    readings = 0;
    EXPECT_TRUE(
        measure({"set back", [] { return ++readings % 100 == 0 ? 0.0 : readings; }}).goes_back);
}

}  // namespace
}  // namespace mpiaudit
