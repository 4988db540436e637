// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "typed_buffer.h"

namespace mpiaudit::test {
namespace {

struct Regular {
    const char* name;
    decltype(&MPI_Allgather) function;
};

struct Irregular {
    const char* name;
    decltype(&MPI_Allgatherv) function;
};

const std::array regular{Regular{"ring", ring_Allgather},
                         Regular{"recursive doubling", recursive_doubling_Allgather},
                         Regular{"dissemination", dissemination_Allgather},
                         Regular{"dissemination, k = 4", dissemination_Allgather_radix4},
                         Regular{"neighbours", neighbour_exchange_Allgather},
                         Regular{"sparbit", sparbit_Allgather},
                         Regular{"sparbit, blocks", sparbit_blocks_Allgather},
                         Regular{"k-ring", kring_Allgather},
                         Regular{"Bine", bine_Allgather},
                         Regular{"simple", simple_Allgather},
                         Regular{"spreading simple", spreading_simple_Allgather},
                         Regular{"gather + bcast", gather_bcast_Allgather},
                         Regular{"MPICH2004", MPICH2004_Allgather}};

const std::array irregular{Irregular{"ring", ring_Allgatherv},
                           Irregular{"recursive doubling", recursive_doubling_Allgatherv},
                           Irregular{"dissemination", dissemination_Allgatherv},
                           Irregular{"dissemination, k = 4", dissemination_Allgatherv_radix4},
                           Irregular{"circulant", circulant_Allgatherv},
                           Irregular{"neighbours", neighbour_exchange_Allgatherv},
                           Irregular{"sparbit", sparbit_Allgatherv},
                           Irregular{"sparbit, blocks", sparbit_blocks_Allgatherv},
                           Irregular{"k-ring", kring_Allgatherv},
                           Irregular{"Bine", bine_Allgatherv},
                           Irregular{"simple", simple_Allgatherv},
                           Irregular{"spreading simple", spreading_simple_Allgatherv},
                           Irregular{"gather + bcast", gather_bcast_Allgatherv},
                           Irregular{"MPICH2004", MPICH2004_Allgatherv}};

struct Side {
    ElementType sent;
    ElementType received;
};

std::vector<Side> sides() {
    std::vector<Side> all;
    all.push_back({int_type(), int_type()});
    all.push_back({double_type(), double_type()});
    all.push_back({vector_with_hole(), vector_with_hole()});
    all.push_back({resized_with_holes(), resized_with_holes()});
    all.push_back({int_type(), resized_with_holes()});
    all.push_back({resized_with_holes(), int_type()});
    return all;
}

/// The same number of numbers as `count` elements of the larger type of the two, in each of them.
int count_of(int count, const ElementType& type, const Side& side) {
    return count * std::max(side.sent.numbers, side.received.numbers) / type.numbers;
}

void expect_allgather(const Regular& variant, const Side& side, int count, bool in_place) {
    const int size = world_size();
    const int rank = world_rank();
    const int sendcount = count_of(count, side.sent, side);
    const int recvcount = count_of(count, side.received, side);
    const int numbers = sendcount * side.sent.numbers;
    TypedBuffer sent{side.sent, sendcount};
    TypedBuffer received{side.received, static_cast<MPI_Aint>(recvcount) * size};
    TypedBuffer expected = received;
    sent.put(0, numbers_of(rank, numbers));
    if (in_place) received.put(static_cast<MPI_Aint>(recvcount) * rank, numbers_of(rank, numbers));
    for (int source = 0; source < size; ++source)
        expected.put(static_cast<MPI_Aint>(recvcount) * source, numbers_of(source, numbers));
    const TypedBuffer untouched = sent;
    variant.function(in_place ? MPI_IN_PLACE : sent.get(), sendcount, side.sent.type,
                     received.get(), recvcount, side.received.type, MPI_COMM_WORLD);
    const std::string what = std::string{variant.name} + ", " + side.sent.name + " to " +
                             side.received.name + ", " + std::to_string(count) + " elements";
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

/// Block sizes and places of an irregular allgather.
struct Placing {
    std::string name;
    std::vector<int> counts;
    std::vector<int> displacements;
    int end = 0;
};

Placing placing(const std::string& name, std::vector<int> counts, bool is_reversed, int gap) {
    const auto blocks = counts.size();
    Placing placed{name, std::move(counts), std::vector<int>(blocks), 0};
    for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t block = is_reversed ? blocks - 1 - i : i;
        // Where an empty block lies means nothing.
        placed.displacements[block] = placed.counts[block] == 0 ? -7 : placed.end;
        if (placed.counts[block] > 0) placed.end += placed.counts[block] + gap;
    }
    return placed;
}

std::vector<Placing> placings(int count) {
    const auto size = static_cast<std::size_t>(world_size());
    const std::vector<int> equal(size, count);
    std::vector<int> uneven(size);
    for (std::size_t i = 0; i < size; ++i) uneven[i] = static_cast<int>(i * 7 + 3) % 5 * count;
    std::vector<int> single(size, 0);
    single[size / 2] = count;
    std::vector<Placing> all;
    for (const bool is_reversed : {false, true}) {
        for (const int gap : {0, 2}) {
            all.push_back(placing("equal", equal, is_reversed, gap));
            all.push_back(placing("uneven", uneven, is_reversed, gap));
        }
    }
    all.push_back(placing("a single block", single, false, 0));
    return all;
}

void expect_allgatherv(const Irregular& variant, const Side& side, const Placing& placed,
                       bool in_place) {
    const int rank = world_rank();
    const auto own = static_cast<std::size_t>(rank);
    const auto numbers = [&](int source) {
        const int count = placed.counts[static_cast<std::size_t>(source)];
        return numbers_of(source, count * side.received.numbers);
    };
    const int sendcount = placed.counts[own] * side.received.numbers / side.sent.numbers;
    TypedBuffer sent{side.sent, sendcount};
    TypedBuffer received{side.received, placed.end};
    TypedBuffer expected = received;
    sent.put(0, numbers(rank));
    for (int source = 0; source < world_size(); ++source) {
        const auto index = static_cast<std::size_t>(source);
        if (placed.counts[index] == 0) continue;
        expected.put(placed.displacements[index], numbers(source));
        if (in_place && source == rank) received.put(placed.displacements[index], numbers(source));
    }
    const TypedBuffer untouched = sent;
    variant.function(in_place ? MPI_IN_PLACE : sent.get(), sendcount, side.sent.type,
                     received.get(), placed.counts.data(), placed.displacements.data(),
                     side.received.type, MPI_COMM_WORLD);
    const std::string what = std::string{variant.name} + ", " + side.sent.name + " to " +
                             side.received.name + ", " + placed.name + " up to " +
                             std::to_string(placed.end);
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

// Blocks of which some are so much longer than others that they are cut.
TEST(Allgatherv, PipelinesOfManyBlocksWork) {
    const auto& circulant =
        *std::ranges::find(irregular, std::string{"circulant"}, &Irregular::name);
    const Side side = std::move(sides().front());
    for (const int count : {5000, 30'001})
        for (const Placing& placed : placings(count))
            if (placed.name != "equal") expect_allgatherv(circulant, side, placed, false);
}

TEST(Allgather, PutsEveryBlockInItsPlaceAndTouchesNothingElse) {
    for (const Side& side : sides())
        for (const Regular& variant : regular)
            for (const int count : element_counts(world_size()))
                for (const bool in_place : {false, true})
                    expect_allgather(variant, side, count, in_place);
}

TEST(Allgather, MPICH2004WorksAboveItsLimit) {
    const Side ints{int_type(), int_type()};
    for (const bool in_place : {false, true})
        expect_allgather(regular.back(), ints, 512 * 1024 / 4 / world_size() + 1, in_place);
}

TEST(Allgatherv, PutsEveryBlockInItsPlaceAndTouchesNothingElse) {
    for (const Side& side : sides()) {
        if (side.sent.numbers > side.received.numbers) continue;
        for (const Irregular& variant : irregular)
            for (const int count : {0, 1, 5, 100})
                for (const Placing& placed : placings(count))
                    for (const bool in_place : {false, true})
                        expect_allgatherv(variant, side, placed, in_place);
    }
}

TEST(Allgather, ProcessesMayDescribeTheSameNumbersWithDifferentDatatypes) {
    const auto all = sides();
    const Side& side = all[all.size() - 1 - static_cast<std::size_t>(world_rank() % 2)];
    for (const Regular& variant : regular) expect_allgather(variant, side, 5, false);
}

TEST(Allgather, AcceptsNullBuffersOfNothing) {
    const std::vector<int> zeros(static_cast<std::size_t>(world_size()), 0);
    for (const Regular& variant : regular)
        EXPECT_EQ(variant.function(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, MPI_COMM_WORLD),
                  MPI_SUCCESS);
    for (const Irregular& variant : irregular)
        EXPECT_EQ(variant.function(nullptr, 0, MPI_INT, nullptr, zeros.data(), zeros.data(),
                                   MPI_INT, MPI_COMM_WORLD),
                  MPI_SUCCESS);
}

}  // namespace
}  // namespace mpiaudit::test
