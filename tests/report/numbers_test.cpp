// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/console.h"

namespace mpiaudit {
namespace {

TEST(Microseconds, ThreeOrMoreSignificantDigitsBelow100Seconds) {
    EXPECT_EQ(microseconds(0), "0.000");
    EXPECT_EQ(microseconds(1.2344e-6), "1.234");
    EXPECT_EQ(microseconds(9.9994e-6), "9.999");
    EXPECT_EQ(microseconds(9.9996e-6), "10.00");
    EXPECT_EQ(microseconds(99.994e-6), "99.99");
    EXPECT_EQ(microseconds(99.996e-6), "100.0");
    EXPECT_EQ(microseconds(999.94e-6), "999.9");
    EXPECT_EQ(microseconds(999.96e-6), "1000");
    EXPECT_EQ(microseconds(99999.4e-6), "99999");
    EXPECT_EQ(microseconds(99999.6e-6), "100k");
    EXPECT_EQ(microseconds(0.9994), "999k");
    EXPECT_EQ(microseconds(0.9996), "1M");
    EXPECT_EQ(microseconds(1.234), "1.23M");
    EXPECT_EQ(microseconds(99.94), "99.9M");
    EXPECT_EQ(microseconds(999.4), "999M");
}

TEST(Microseconds, FitTheirColumn) {
    for (double seconds = 1e-10; seconds < 999; seconds *= 1.01)
        EXPECT_LE(microseconds(seconds).size(), 5U) << seconds;
}

TEST(Amount, ExactBelowTenMillion) {
    EXPECT_EQ(amount(0), "0");
    EXPECT_EQ(amount(9'999'999), "9999999");
    EXPECT_EQ(amount(10'000'000), "10.00M");
    EXPECT_EQ(amount(123'456'789), "123.46M");
    EXPECT_EQ(amount(999'940'000), "999.94M");
    EXPECT_EQ(amount(999'960'000), "1.00G");
    EXPECT_EQ(amount(123'456'789'000), "123.46G");
}

TEST(Amount, FitsItsColumn) {
    for (std::int64_t elements = 1; elements < 900'000'000'000; elements += elements / 50 + 1)
        EXPECT_LE(amount(elements).size(), 7U) << elements;
}

}  // namespace
}  // namespace mpiaudit
