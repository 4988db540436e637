// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "messages/owned.h"
#include "zero_copy/datatypes.h"
#include "zero_copy/zero_copy_bruck.h"

namespace mpiaudit {
namespace {

using Indices = std::vector<int>;

/// One int at the start of three: a base type whose extent is not its size.
OwnedDatatype int_with_gap() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &type);
    return OwnedDatatype{type};
}

/// The indices of the base elements in the order of the type map: packed out of memory that holds
/// the index of each element, `stride` ints apart.
Indices packed_indices(MPI_Datatype type, int stride) {
    Indices memory(64 * static_cast<std::size_t>(stride), -1);
    for (int i = 0; i < 64; ++i) memory[static_cast<std::size_t>(i * stride)] = i;
    int bytes = 0;
    MPI_Type_size(type, &bytes);
    Indices packed(64, -1);
    int position = 0;
    MPI_Pack(memory.data(), 1, type, packed.data(), 64 * sizeof(int), &position, MPI_COMM_SELF);
    EXPECT_EQ(position, bytes);
    packed.resize(static_cast<std::size_t>(position) / sizeof(int));
    return packed;
}

/// Makes the type over both base types, each of which must have the given type map.
template <class Make>
void expect_type_map(const Make& make, const Indices& expected, const std::string& what) {
    const OwnedDatatype gapped = int_with_gap();
    for (const auto& [base, stride] : {std::pair{MPI_Datatype{MPI_INT}, 1}, {gapped.get(), 3}}) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        ASSERT_EQ(make(base, &type), MPI_SUCCESS) << what;
        MPI_Type_commit(&type);
        const OwnedDatatype owned{type};
        EXPECT_EQ(packed_indices(type, stride), expected) << what << ", stride " << stride;
    }
}

void expect_bounded(int bound, int blocklength, int stride, const Indices& expected) {
    expect_type_map(
        [=](MPI_Datatype base, MPI_Datatype* type) {
            return Type_create_vector_bounded(bound, blocklength, stride, base, type);
        },
        expected, testing::PrintToString(Indices{bound, blocklength, stride}));
}

void expect_circular(int total, int start, int bound, int blocklength, int stride,
                     const Indices& expected) {
    expect_type_map(
        [=](MPI_Datatype base, MPI_Datatype* type) {
            return Type_create_vector_circular(total, start, bound, blocklength, stride, base,
                                               type);
        },
        expected, testing::PrintToString(Indices{total, start, bound, blocklength, stride}));
}

Indices bounded_indices(int bound, int blocklength, int stride) {
    Indices indices;
    for (int t = 0; t < bound; ++t)
        if (t % stride < blocklength) indices.push_back(t);
    return indices;
}

MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent);
    return extent;
}

/// Empty ones, of one short block, and with the bound in a block, at its end and in a gap.
TEST(BoundedVector, has_the_type_map_of_its_definition_for_all_small_arguments) {
    expect_bounded(11, 4, 8, {0, 1, 2, 3, 8, 9, 10});
    for (int bound = 0; bound <= 16; ++bound)
        for (int stride = 1; stride <= 8; ++stride)
            for (int blocklength = 0; blocklength <= stride; ++blocklength)
                expect_bounded(bound, blocklength, stride,
                               bounded_indices(bound, blocklength, stride));
}

TEST(BoundedVector, extends_to_the_end_of_its_last_entry) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    Type_create_vector_bounded(14, 4, 8, MPI_INT, &type);
    const OwnedDatatype owned{type};
    EXPECT_EQ(extent_of(type), 12 * static_cast<MPI_Aint>(sizeof(int)));
}

/// Vectors without a wrap, with a wrap between two blocks and within a block, and cut after it.
TEST(CircularVector, has_the_type_map_of_its_definition_for_all_small_arguments) {
    expect_circular(8, 5, 8, 2, 4, {5, 6, 1, 2});
    expect_circular(8, 6, 3, 4, 8, {6, 7, 0});
    expect_circular(0, 0, 0, 2, 4, {});
    for (int total = 1; total <= 9; ++total)
        for (int start = 0; start < total; ++start)
            for (int bound = 0; bound <= total; ++bound)
                for (int stride = 1; stride <= 8; ++stride)
                    for (int blocklength = 0; blocklength <= stride; ++blocklength) {
                        Indices expected = bounded_indices(bound, blocklength, stride);
                        for (int& index : expected) index = (start + index) % total;
                        expect_circular(total, start, bound, blocklength, stride, expected);
                    }
}

TEST(Bucket, has_the_filled_part_of_every_bucket) {
    const auto expect_bucket = [](const Indices& counts, int bucket_size, const Indices& expected) {
        expect_type_map(
            [&](MPI_Datatype base, MPI_Datatype* type) {
                return Type_create_bucket(static_cast<int>(counts.size()), counts.data(),
                                          bucket_size, base, type);
            },
            expected, testing::PrintToString(counts));
    };
    expect_bucket({2, 0, 3, 1}, 3, {0, 1, 6, 7, 8, 9});
    expect_bucket({4, 4}, 4, {0, 1, 2, 3, 4, 5, 6, 7});
    expect_bucket({0, 1}, 5, {5});
    expect_bucket({0, 0, 0}, 5, {});
    expect_bucket({0}, 0, {});
    expect_bucket({}, 5, {});
}

TEST(Constructors, refuse_arguments_outside_of_their_ranges) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    EXPECT_EQ(Type_create_vector_bounded(-1, 1, 2, MPI_INT, &type), MPI_ERR_ARG);
    EXPECT_EQ(Type_create_vector_bounded(4, 3, 2, MPI_INT, &type), MPI_ERR_ARG);
    EXPECT_EQ(Type_create_vector_bounded(4, 0, 0, MPI_INT, &type), MPI_ERR_ARG);
    EXPECT_EQ(Type_create_vector_circular(4, 0, 5, 1, 2, MPI_INT, &type), MPI_ERR_ARG);
    EXPECT_EQ(Type_create_vector_circular(4, 4, 2, 1, 2, MPI_INT, &type), MPI_ERR_ARG);
    EXPECT_EQ(Type_create_vector_circular(4, -1, 2, 1, 2, MPI_INT, &type), MPI_ERR_ARG);
    const Indices too_many = {1, 4};
    EXPECT_EQ(Type_create_bucket(2, too_many.data(), 3, MPI_INT, &type), MPI_ERR_ARG);
    EXPECT_EQ(type, MPI_DATATYPE_NULL);
}

int moving_elements(int ranks, int distance) {
    int moving = 0;
    for (int j = 0; j < ranks; ++j) moving += (j & distance) != 0;
    return moving;
}

/// Places beyond the p of R that some round needs, for all elements that have had a hop before and
/// for the arriving ones. No schedule with these messages and without copies can need fewer.
int lower_bound(int ranks) {
    int places = 0;
    for (int distance = 1; distance < ranks; distance *= 2) {
        const int never_moved = (ranks + distance - 1) / distance;
        places = std::max(places, moving_elements(ranks, distance) - never_moved);
    }
    return places;
}

TEST(HalfBuffer, never_lets_an_element_arrive_at_a_taken_place_or_at_one_that_it_does_not_say) {
    for (int ranks = 1; ranks <= 200; ++ranks) {
        const HalfBuffer plan{ranks};
        std::map<int, int> element_at;  // by place, the elements that have had a hop
        for (int k = 0; 1 << k < ranks; ++k) {
            std::map<int, int> arriving;
            std::vector<int> leaving;
            for (int j = 0; j < ranks; ++j) {
                if (!(j >> k & 1)) continue;
                const int place = plan.arrival(k, j);
                ASSERT_GE(place, 0);
                ASSERT_LT(place, ranks + plan.intermediate_elements());
                ASSERT_EQ(element_at.count(place), 0U) << ranks << " ranks, round " << k;
                ASSERT_TRUE(arriving.emplace(place, j).second) << ranks << " ranks, round " << k;
                if (j % (1 << k) == 0) continue;
                ASSERT_EQ(element_at.at(plan.departure(k, j)), j) << ranks << " ranks, round " << k;
                leaving.push_back(plan.departure(k, j));
            }
            for (const int place : leaving) element_at.erase(place);
            element_at.merge(arriving);
        }
        for (int j = 1; j < ranks; ++j) ASSERT_EQ(element_at.at(j), j) << ranks << " ranks";
        ASSERT_EQ(element_at.count(0), 0U) << ranks << " ranks: the place of the own element";
    }
}

TEST(HalfBuffer, needs_no_more_places_than_any_schedule_without_copies) {
    for (int ranks = 1; ranks <= 1030; ++ranks) {
        const int needed = HalfBuffer{ranks}.intermediate_elements();
        ASSERT_EQ(needed, lower_bound(ranks)) << ranks << " ranks";
        ASSERT_LE(needed, std::max(0, ranks / 2 - 2)) << ranks << " ranks";
    }
    EXPECT_EQ(HalfBuffer{16}.intermediate_elements(), 6);
}

}  // namespace
}  // namespace mpiaudit
