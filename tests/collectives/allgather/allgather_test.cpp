// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <gtest/gtest.h>

#include "collectives/moved_blocks.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

const std::vector<Tested>& regular() {
    static const std::vector<Tested> all = algorithms_of("MPI_Allgather");
    return all;
}
const std::vector<Tested>& irregular() {
    static const std::vector<Tested> all = algorithms_of("MPI_Allgatherv");
    return all;
}

std::vector<const ElementKind*> kinds() {
    return element_kinds({"int", "double", "vector with hole", "resized with holes",
                          "ints to resized with holes", "resized with holes to ints"});
}

struct Distribution {
    const char* name;
    std::function<int(int, int)> items;
    bool is_in_order_only = false;
};

std::vector<Distribution> distributions(int count) {
    const int single = ranks_of_world() / 2;
    return {{"equal", [=](int, int) { return count; }},
            {"uneven", [=](int rank, int) { return (rank * 7 + 3) % 5 * count; }},
            {"a single block", [=](int rank, int) { return rank == single ? count : 0; }, true}};
}

void check_placings(const Tested& tested, const ElementKind& kind, const Distribution& of,
                    bool is_in_place) {
    for (const Placing placing :
         {Placing::contiguous, Placing::with_gaps, Placing::reversed, Placing::reversed_with_gaps})
        if (placing == Placing::contiguous || !of.is_in_order_only)
            check(tested, {&kind, of.name, of.items, 0, placing, is_in_place});
}

// Blocks of which some are so much longer than others that they are cut.
TEST(Allgatherv, PipelinesOfManyBlocksWork) {
    const Tested circulant("circulant", "MPI_Allgatherv", circulant_Allgatherv);
    for (const int count : {5000, 30'001})
        for (const Distribution& each : distributions(count))
            if (each.name != std::string_view("equal"))
                check_placings(circulant, element_kind("int"), each, false);
}

TEST(Allgather, PutsEveryBlockInItsPlaceAndTouchesNothingElse) {
    const int ranks = ranks_of_world();
    std::vector<int> counts = {0, 1, 5, ranks, 100};
    if (ranks <= 8) counts.insert(counts.end(), {2, 1000});
    for (const ElementKind* const kind : kinds())
        for (const Tested& each : regular())
            for (const int count : counts)
                for (const bool is_in_place : {false, true})
                    check(each, {kind, "equal", [=](int, int) { return count; }, 0,
                                 Placing::contiguous, is_in_place});
}

TEST(Allgather, MPICH2004WorksAboveItsLimit) {
    const int count = 512 * 1024 / 4 / ranks_of_world() + 1;
    for (const bool is_in_place : {false, true})
        check({"MPICH2004", "MPI_Allgather", MPICH2004_Allgather},
              {&element_kind("int"), "equal", [=](int, int) { return count; }, 0,
               Placing::contiguous, is_in_place});
}

TEST(Allgatherv, PutsEveryBlockInItsPlaceAndTouchesNothingElse) {
    for (const ElementKind* const kind : kinds())
        for (const Tested& tested : irregular())
            for (const int count : {0, 1, 5, 100})
                for (const Distribution& each : distributions(count))
                    for (const bool is_in_place : {false, true})
                        check_placings(tested, *kind, each, is_in_place);
}

TEST(Allgather, ProcessesMayDescribeTheSameNumbersWithDifferentDatatypes) {
    for (const Tested& each : regular())
        check(each, {&element_kind("resized and ints on alternate ranks"), "equal",
                     [](int, int) { return 5; }});
}

}  // namespace
}  // namespace mpiaudit::test
