// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "allgather/typed_buffer.h"

namespace mpiaudit::test {
namespace {

struct Variant {
    std::string_view name;
    decltype(&MPI_Bcast) function;
};

const std::array variants{
    Variant{"binomial", binomial_Bcast},
    Variant{"linear", linear_Bcast},
    Variant{"van de Geijn, recursive doubling", van_de_Geijn_recursive_doubling_Bcast},
    Variant{"van de Geijn, ring", van_de_Geijn_ring_Bcast},
    Variant{"circulant", circulant_Bcast},
    Variant{"k-nomial", knomial_Bcast},
    Variant{"binary", binary_Bcast},
    Variant{"chain", chain_Bcast},
    Variant{"split binary", split_binary_Bcast},
    Variant{"two trees", two_tree_Bcast},
    Variant{"Bine", bine_Bcast},
    Variant{"MPICH2004", MPICH2004_Bcast}};

const Variant& variant_of(std::string_view name) {
    return *std::ranges::find(variants, name, &Variant::name);
}

void expect_bcast(const Variant& variant, const ElementType& element, int count, int root) {
    TypedBuffer buffer{element, count};
    TypedBuffer expected = buffer;
    expected.put(0, numbers_of(root, count * element.numbers));
    if (world_rank() == root) buffer = expected;
    variant.function(buffer.get(), count, element.type, root, MPI_COMM_WORLD);
    EXPECT_TRUE(buffer == expected)
        << variant.name << ", " << count << " of " << element.name << ", root " << root;
}

TEST(Bcast, PutsTheDataOfTheRootInPlaceAndTouchesNothingElse) {
    std::vector<ElementType> elements;
    elements.push_back(int_type());
    elements.push_back(double_type());
    elements.push_back(vector_with_hole());
    elements.push_back(resized_with_holes());
    for (const ElementType& element : elements)
        for (const Variant& variant : variants)
            for (const int count : element_counts(world_size()))
                for (const int root : roots(world_size()))
                    expect_bcast(variant, element, count, root);
}

TEST(Bcast, MPICH2004WorksAtItsLimits) {
    for (const int bytes : {12 * 1024, 512 * 1024})
        for (const int root : roots(world_size()))
            for (const int count : {bytes / 4 - 1, bytes / 4, bytes / 4 + 1})
                expect_bcast(variants.back(), int_type(), count, root);
}

TEST(Bcast, PipelinesOfManyBlocksWork) {
    for (const int root : roots(world_size()))
        for (const int count : {5000, 100'001})
            for (const char* const each :
                 {"circulant", "chain", "binary", "split binary", "two trees"})
                expect_bcast(variant_of(each), int_type(), count, root);
}

TEST(Bcast, AcceptsANullBufferOfNothing) {
    for (const Variant& variant : variants)
        EXPECT_EQ(variant.function(nullptr, 0, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
}

}  // namespace
}  // namespace mpiaudit::test
