// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/intermediate_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "messages/owned.h"

namespace mpiaudit {

void PrintTo(const SignatureRun& run, std::ostream* out) {
    char name[MPI_MAX_OBJECT_NAME];
    int length = 0;
    MPI_Type_get_name(run.basic, name, &length);
    *out << run.count << " x " << name;
}

namespace {

using Runs = std::vector<SignatureRun>;

void expect_signature(MPI_Datatype type, const Runs& period, std::int64_t repetitions) {
    const Signature signature = type_signature(type);
    EXPECT_EQ(signature.period, period);
    EXPECT_EQ(signature.repetitions, repetitions);
}

OwnedDatatype contiguous(int count, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, type, &made);
    return OwnedDatatype(made);
}

OwnedDatatype structure(std::vector<int> counts, std::vector<MPI_Datatype> types) {
    std::vector<MPI_Aint> displacements(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        displacements[i] = static_cast<MPI_Aint>(64 * i);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), displacements.data(),
                           types.data(), &made);
    return OwnedDatatype(made);
}

TEST(Signature, of_a_predefined_type_is_itself) {
    for (const MPI_Datatype type : {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_BYTE, MPI_C_DOUBLE_COMPLEX})
        expect_signature(type, {{type, 1}}, 1);
}

TEST(Signature, of_the_predefined_pairs_has_two_entries) {
    expect_signature(MPI_2INT, {{MPI_INT, 1}}, 2);
    expect_signature(MPI_DOUBLE_INT, {{MPI_DOUBLE, 1}, {MPI_INT, 1}}, 1);
    expect_signature(MPI_SHORT_INT, {{MPI_SHORT, 1}, {MPI_INT, 1}}, 1);
}

TEST(Signature, of_nested_contiguous_types_multiplies) {
    const OwnedDatatype inner = contiguous(6, MPI_INT);
    const OwnedDatatype outer = contiguous(7, inner.get());
    expect_signature(outer.get(), {{MPI_INT, 1}}, 42);
    expect_signature(contiguous(0, MPI_INT).get(), {}, 0);
    expect_signature(contiguous(5, contiguous(0, MPI_INT).get()).get(), {}, 0);
}

TEST(Signature, of_a_struct_keeps_the_order_and_skips_empty_members) {
    const OwnedDatatype type = structure({2, 0, 1}, {MPI_INT, MPI_CHAR, MPI_DOUBLE});
    expect_signature(type.get(), {{MPI_INT, 2}, {MPI_DOUBLE, 1}}, 1);
    expect_signature(structure({2, 3}, {MPI_INT, MPI_INT}).get(), {{MPI_INT, 1}}, 5);
    expect_signature(structure({}, {}).get(), {}, 0);
}

TEST(Signature, finds_the_period_across_the_members_of_a_struct) {
    const OwnedDatatype pair = structure({1, 1}, {MPI_INT, MPI_DOUBLE});
    const OwnedDatatype triple = contiguous(3, pair.get());
    const Runs period = {{MPI_INT, 1}, {MPI_DOUBLE, 1}};
    expect_signature(structure({2, 1}, {pair.get(), triple.get()}).get(), period, 5);
    // int | double int | double: the members hide the pairs.
    const OwnedDatatype reversed = structure({1, 1}, {MPI_DOUBLE, MPI_INT});
    expect_signature(structure({1, 2, 1}, {MPI_INT, reversed.get(), MPI_DOUBLE}).get(), period, 3);
}

TEST(Signature, finds_a_period_whose_ends_merge) {
    // (int double int)^2 is written int double int int double int.
    expect_signature(
        structure({1, 1, 2, 1, 1}, {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE, MPI_INT}).get(),
        {{MPI_INT, 1}, {MPI_DOUBLE, 1}, {MPI_INT, 1}}, 2);
    // int double int int int double int is no power.
    expect_signature(
        structure({1, 1, 3, 1, 1}, {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE, MPI_INT}).get(),
        {{MPI_INT, 1}, {MPI_DOUBLE, 1}, {MPI_INT, 3}, {MPI_DOUBLE, 1}, {MPI_INT, 1}}, 1);
}

TEST(Signature, of_random_words_is_the_shortest_word_whose_power_they_are) {
    std::mt19937 random(7);
    const MPI_Datatype letters[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    for (int i = 0; i < 3000; ++i) {
        std::vector<MPI_Datatype> word(1 + random() % 8), power;
        for (MPI_Datatype& letter : word) letter = letters[random() % (i % 2 ? 2 : 3)];
        for (unsigned repeated = 0, k = 1 + random() % 4; repeated < k; ++repeated)
            power.insert(power.end(), word.begin(), word.end());
        // By definition: the shortest prefix that repeats to the whole.
        std::size_t shortest = 1;
        const auto is_period = [&](std::size_t length) {
            for (std::size_t j = length; j < power.size(); ++j)
                if (power[j] != power[j - length]) return false;
            return power.size() % length == 0;
        };
        while (!is_period(shortest)) ++shortest;
        const Signature signature =
            type_signature(structure(std::vector<int>(power.size(), 1), power).get());
        std::vector<MPI_Datatype> period;
        for (const SignatureRun& run : signature.period)
            period.insert(period.end(), static_cast<std::size_t>(run.count), run.basic);
        ASSERT_EQ(period, std::vector(power.begin(), power.begin() + static_cast<long>(shortest)));
        ASSERT_EQ(signature.repetitions, static_cast<std::int64_t>(power.size() / shortest));
    }
}

TEST(Signature, of_every_constructor_over_one_type_repeats_it) {
    const OwnedDatatype pair = structure({1, 1}, {MPI_INT, MPI_DOUBLE});
    const Runs period = {{MPI_INT, 1}, {MPI_DOUBLE, 1}};
    const int ones[] = {1, 1, 1}, lengths[] = {2, 0, 3}, places[] = {9, 4, 0};
    const MPI_Aint addresses[] = {900, 400, 0};
    const auto expect = [&](std::int64_t repetitions, auto make) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        make(&made);
        const OwnedDatatype owned(made);
        expect_signature(made, period, repetitions);
    };
    const MPI_Datatype t = pair.get();
    expect(1, [&](auto* made) { MPI_Type_dup(t, made); });
    expect(1, [&](auto* made) { MPI_Type_create_resized(t, -8, 1000, made); });
    expect(12, [&](auto* made) { MPI_Type_vector(4, 3, 5, t, made); });
    expect(12, [&](auto* made) { MPI_Type_create_hvector(4, 3, -999, t, made); });
    expect(5, [&](auto* made) { MPI_Type_indexed(3, lengths, places, t, made); });
    expect(5, [&](auto* made) { MPI_Type_create_hindexed(3, lengths, addresses, t, made); });
    expect(6, [&](auto* made) { MPI_Type_create_indexed_block(3, 2, places, t, made); });
    expect(6, [&](auto* made) { MPI_Type_create_hindexed_block(3, 2, addresses, t, made); });
    const int sizes[] = {4, 5, 6}, parts[] = {2, 3, 4};
    expect(24, [&](auto* made) {
        MPI_Type_create_subarray(3, sizes, parts, ones, MPI_ORDER_C, t, made);
    });
    const int block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    const int by_default[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG,
                              MPI_DISTRIBUTE_DFLT_DARG};
    const int processes[] = {2, 2, 1};
    expect(2 * 2 * 6, [&](auto* made) {
        MPI_Type_create_darray(4, 3, 3, sizes, block, by_default, processes, MPI_ORDER_C, t, made);
    });
}

}  // namespace
}  // namespace mpiaudit
