// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "collectives/moved_blocks.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

TEST(Bcast, PutsTheDataOfTheRootInPlaceAndTouchesNothingElse) {
    for (const ElementKind* const kind :
         element_kinds({"int", "double", "vector with hole", "resized with holes"}))
        for (const Algorithm& each : rows_of({"MPI_Bcast"}))
            for (const int count : element_counts(ranks_of_world()))
                for (const int root : roots(ranks_of_world()))
                    expect_bcast(each, *kind, count, root);
}

TEST(Bcast, MPICH2004WorksAtItsLimits) {
    for (const int bytes : {12 * 1024, 512 * 1024})
        for (const int root : roots(ranks_of_world()))
            for (const int count : {bytes / 4 - 1, bytes / 4, bytes / 4 + 1})
                expect_bcast(row_of("MPICH2004_Bcast"), element_kind("int"), count, root);
}

TEST(Bcast, PipelinesOfManyBlocksWork) {
    for (const int root : roots(ranks_of_world()))
        for (const int count : {5000, 100'001})
            for (const char* const each : {"circulant_Bcast", "chain_Bcast", "binary_Bcast",
                                           "split_binary_Bcast", "two_tree_Bcast"})
                expect_bcast(row_of(each), element_kind("int"), count, root);
}

}  // namespace
}  // namespace mpiaudit::test
