// SPDX-License-Identifier: BSD-3-Clause
#include "grid/scheduled_allgather.h"

#include <gtest/gtest.h>

#include "bench/comparator_schedules.h"
#include "collectives/typed_buffer.h"
#include "schedule/grid.h"
#include "schedule/random_network.h"

namespace mpiaudit::test {
namespace {

/// The schedules of all strategies on some networks, with several ranks on some hosts.
std::vector<AllgatherSchedule> schedules() {
    std::mt19937 random(11);
    const int ranks = world_size();
    std::vector<AllgatherSchedule> all;
    for (const int hosts : {1, 3, ranks}) {
        std::vector<int> host_of_rank;
        for (int rank = 0; rank < ranks; ++rank) host_of_rank.push_back(rank * 7 % hosts);
        const Grid grid = make_grid(random_network(hosts, false, true, random), host_of_rank);
        const std::vector<double> bytes = random_bytes(ranks, hosts == 3, random);
        for (const Strategy strategy : {Strategy::min3, Strategy::magpie, Strategy::mpich_g2,
                                        Strategy::mateescu, Strategy::clustered_sa})
            all.push_back(make_schedule(strategy, grid, Ports::half_duplex, bytes));
    }
    return all;
}

void expect_allgather(const AllgatherSchedule& schedule, const ElementType& type, int count,
                      bool in_place) {
    const int rank = world_rank();
    const int numbers = count * type.numbers;
    TypedBuffer sent{type, count};
    TypedBuffer received{type, static_cast<MPI_Aint>(count) * world_size()};
    TypedBuffer expected = received;
    sent.put(0, numbers_of(rank, numbers));
    if (in_place) received.put(static_cast<MPI_Aint>(count) * rank, numbers_of(rank, numbers));
    for (int source = 0; source < world_size(); ++source)
        expected.put(static_cast<MPI_Aint>(count) * source, numbers_of(source, numbers));
    const ScheduledAllgather context(schedule, rank);
    context.run({in_place ? MPI_IN_PLACE : sent.get(), count, type.type},
                Blocks::equal(received.get(), count, type.type, world_size()),
                Ranks{MPI_COMM_WORLD});
    EXPECT_TRUE(received == expected) << type.name << ", " << count;
}

/// Blocks of different sizes, empty ones too, in reverse order with gaps.
void expect_allgatherv(const AllgatherSchedule& schedule, const ElementType& type, int largest,
                       bool in_place) {
    const auto ranks = static_cast<std::size_t>(world_size());
    const auto own = static_cast<std::size_t>(world_rank());
    std::vector<int> counts(ranks), displacements(ranks);
    int end = 0;
    for (std::size_t i = ranks; i-- > 0;) {
        counts[i] = largest * static_cast<int>(i % 3) / 2;
        displacements[i] = end;
        end += counts[i] + 1;
    }
    TypedBuffer sent{type, counts[own]};
    TypedBuffer received{type, end};
    TypedBuffer expected = received;
    sent.put(0, numbers_of(world_rank(), counts[own] * type.numbers));
    for (std::size_t i = 0; i < ranks; ++i) {
        const auto numbers = numbers_of(static_cast<int>(i), counts[i] * type.numbers);
        expected.put(displacements[i], numbers);
        if (in_place && i == own) received.put(displacements[i], numbers);
    }
    const ScheduledAllgather context(schedule, world_rank());
    context.run({in_place ? MPI_IN_PLACE : sent.get(), counts[own], type.type},
                Blocks::irregular(received.get(), counts.data(), displacements.data(), type.type,
                                  world_size()),
                Ranks{MPI_COMM_WORLD});
    EXPECT_TRUE(received == expected) << type.name << ", up to " << largest;
}

TEST(ScheduledAllgather, PutsEveryBlockInItsPlaceAndTouchesNothingElse) {
    const ElementType ints = int_type();
    const ElementType holes = resized_with_holes();
    for (const AllgatherSchedule& schedule : schedules())
        for (const ElementType* type : {&ints, &holes})
            for (const int count : {0, 1, 6, 5000})
                for (const bool in_place : {false, true}) {
                    expect_allgather(schedule, *type, count, in_place);
                    expect_allgatherv(schedule, *type, count, in_place);
                }
}

}  // namespace
}  // namespace mpiaudit::test
