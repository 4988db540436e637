// SPDX-License-Identifier: BSD-3-Clause
#include "screens/console.h"

#include <gmock/gmock.h>

#include "report/small_report.h"

namespace mpiaudit {
namespace {

TEST(Microseconds, ThreeOrMoreSignificantDigitsBelow100Seconds) {
    for (const auto& [seconds, text] : {std::pair{0.0, "0.000"},
                                        {1.2344e-6, "1.234"},
                                        {9.9994e-6, "9.999"},
                                        {9.9996e-6, "10.00"},
                                        {99.994e-6, "99.99"},
                                        {99.996e-6, "100.0"},
                                        {999.94e-6, "999.9"},
                                        {999.96e-6, "1000"},
                                        {99999.4e-6, "99999"},
                                        {99999.6e-6, "100k"},
                                        {0.9994, "999k"},
                                        {0.9996, "1M"},
                                        {1.234, "1.23M"},
                                        {99.94, "99.9M"},
                                        {999.4, "999M"}})
        EXPECT_EQ(microseconds(seconds), text);
}

TEST(ShortText, HasThreeSignificantDigitsAndNoExponent) {
    for (const auto& [value, text] : {std::pair{0.0, "0"},
                                      {12345.6, "12\u202f346"},
                                      {123.4, "123"},
                                      {9.876, "9.88"},
                                      {0.05, "0.05"},
                                      {1e6, "1\u202f000\u202f000"},
                                      {100.0, "100"}})
        EXPECT_EQ(short_text(value), text);
}

TEST(Microseconds, FitTheirColumn) {
    for (double seconds = 1e-10; seconds < 999; seconds *= 1.01)
        EXPECT_LE(microseconds(seconds).size(), 5U) << seconds;
}

}  // namespace
}  // namespace mpiaudit
