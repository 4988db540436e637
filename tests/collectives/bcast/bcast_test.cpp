// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "algorithms/algorithms.h"
#include "collectives/typed_buffer.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

/// Row of the table of algorithms.
using Variant = Algorithm;

const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> broadcasts;
        std::ranges::copy_if(
            algorithms(), std::back_inserter(broadcasts), [](const Algorithm& each) {
                return each.operation == "MPI_Bcast" && (each.traits & on_nodes) == 0;
            });
        return broadcasts;
    }();
    return all;
}

int call(const Variant& variant, void* buffer, int count, MPI_Datatype type, int root) {
    return reinterpret_cast<decltype(&MPI_Bcast)>(variant.function)(buffer, count, type, root,
                                                                    MPI_COMM_WORLD);
}

const Variant& variant_of(std::string_view name) {
    return *std::ranges::find(variants(), name, &Variant::name);
}

void expect_bcast(const Variant& variant, const ElementType& element, int count, int root) {
    TypedBuffer buffer{element, count};
    TypedBuffer expected = buffer;
    expected.put(0, numbers_of(root, count * element.numbers));
    if (own_rank() == root) buffer = expected;
    call(variant, buffer.get(), count, element.type, root);
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
        for (const Variant& variant : variants())
            for (const int count : element_counts(ranks_of_world()))
                for (const int root : roots(ranks_of_world()))
                    expect_bcast(variant, element, count, root);
}

TEST(Bcast, MPICH2004WorksAtItsLimits) {
    for (const int bytes : {12 * 1024, 512 * 1024})
        for (const int root : roots(ranks_of_world()))
            for (const int count : {bytes / 4 - 1, bytes / 4, bytes / 4 + 1})
                expect_bcast(variant_of("MPICH2004_Bcast"), int_type(), count, root);
}

TEST(Bcast, PipelinesOfManyBlocksWork) {
    for (const int root : roots(ranks_of_world()))
        for (const int count : {5000, 100'001})
            for (const char* const each : {"circulant_Bcast", "chain_Bcast", "binary_Bcast",
                                           "split_binary_Bcast", "two_tree_Bcast"})
                expect_bcast(variant_of(each), int_type(), count, root);
}

TEST(Bcast, AcceptsANullBufferOfNothing) {
    for (const Variant& variant : variants())
        EXPECT_EQ(call(variant, nullptr, 0, MPI_INT, 0), MPI_SUCCESS) << variant.name;
}

}  // namespace
}  // namespace mpiaudit::test
