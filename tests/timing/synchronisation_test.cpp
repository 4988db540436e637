// SPDX-License-Identifier: BSD-3-Clause
#include "timing/synchronisation.h"

#include <gmock/gmock.h>

#include "timing/clock.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;

TEST(Synchronisation, IsFoundByName) {
    EXPECT_THAT(synchronisation_names(), ElementsAre("barrier", "dissemination"));
    for (const std::string& name : synchronisation_names()) {
        const auto synchronisation = find_synchronisation(name);
        ASSERT_TRUE(synchronisation);
        EXPECT_EQ(synchronisation->name, name);
    }
    EXPECT_FALSE(find_synchronisation("Barrier"));
    EXPECT_FALSE(find_synchronisation(""));
}

TEST(SampleStarts, AreBarriersTheGlobalClockOrBoth) {
    EXPECT_THAT(sample_start_names(), ElementsAre("barrier", "dissemination", "global", "both"));
    const auto barrier = find_sample_starts("dissemination").value();
    EXPECT_EQ(barrier.barrier.name, "dissemination");
    EXPECT_TRUE(barrier.after_barrier && !barrier.in_window);
    const auto global = find_sample_starts("global").value();
    EXPECT_TRUE(!global.after_barrier && global.in_window);
    const auto both = find_sample_starts("both").value();
    EXPECT_TRUE(both.after_barrier && both.in_window);
    EXPECT_FALSE(find_sample_starts("neither"));
}

/// All ranks of a test run on one host, where CLOCK_MONOTONIC is the same for all processes.
TEST(Synchronisation, NoRankLeavesBeforeTheLastOneHasCome) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Clock clock = find_clock("monotonic").value();
    for (const std::string& name : synchronisation_names()) {
        for (int late = 0; late < ranks; ++late) {
            const double start = clock.now();
            while (rank == late && clock.now() - start < 1e-3) continue;
            double last_arrival = clock.now();
            find_synchronisation(name)->wait(MPI_COMM_WORLD);
            const double departure = clock.now();
            MPI_Allreduce(MPI_IN_PLACE, &last_arrival, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            EXPECT_GE(departure, last_arrival) << name << ", rank " << late << " late";
        }
    }
}

}  // namespace
}  // namespace mpiaudit
