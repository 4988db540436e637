// SPDX-License-Identifier: BSD-3-Clause
#include "measure/problem_rounds.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

/// Two rounds of a contestant of 1 s and one of 8 s, by clocks that may be off.
Batch batch_with(double clock_error_s) {
    Batch batch{.active = 2, .order = {0, 1, 1, 0}, .samples_s = {1.0, 8.0, 8.0, 1.0}};
    batch.clock_error_s = clock_error_s;
    return batch;
}

TEST(RoundsRecord, RoundsForWhichTheClocksAreTooFarOffAreDropped) {
    OpenChecks checks({}, judge::Criterion::evidence);
    RoundsRecord record(2);
    EXPECT_EQ(record.add(batch_with(0.25), checks), 2U);
    EXPECT_EQ(record.add(batch_with(0.26), checks), 0U) << "of the fastest, not of any";
    EXPECT_EQ(record.unclear_rounds, 2);
    EXPECT_EQ(record.order.size(), 2U);
    EXPECT_THAT(record.samples_s, testing::ElementsAre(testing::ElementsAre(1.0, 1.0),
                                                       testing::ElementsAre(8.0, 8.0)));
}

TEST(RoundsRecord, WithoutAGlobalClockAllAreKept) {
    OpenChecks checks({}, judge::Criterion::evidence);
    RoundsRecord record(2);
    EXPECT_EQ(record.add(batch_with(0.0), checks), 2U);
    EXPECT_EQ(record.unclear_rounds, 0);
}

}  // namespace
}  // namespace mpiaudit
