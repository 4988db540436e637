// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string_view>
#include <vector>

#include "algorithms/algorithms.h"
#include "collectives/patterns/reduction.h"
#include "reduction_case.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

/// The algorithms that cut vectors.
constexpr std::string_view pipelines[] = {
    "circulant_Reduce", "chain_Reduce",       "binary_Reduce",      "split_binary_Reduce",
    "two_tree_Reduce",  "two_tree_Allreduce", "dual_root_Allreduce"};

/// All reductions of vectors that fit the operator: to a root, to all, and over the ranks up to
/// one's own.
std::vector<Algorithm> algorithms_for(const ReductionCase& reduction) {
    auto rows = rows_of({"MPI_Reduce", "MPI_Allreduce", "MPI_Scan", "MPI_Exscan"});
    std::erase_if(rows, [&](const Algorithm& row) {
        return !reduction.is_commutative && (row.traits & reorders_operands) != 0;
    });
    return rows;
}

std::vector<int> roots_for(const Algorithm& row) {
    if (row.operation != "MPI_Reduce") return {0};
    if (row.name != "TUW_Reduce") return roots(ranks_of_world());
    // Its tree differs for each root, whatever the operator is.
    std::vector<int> all(static_cast<std::size_t>(ranks_of_world()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TEST(Reductions, CombineInTheOrderOfTheRanksAndTouchNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Algorithm& row : algorithms_for(reduction))
            for (const int count : element_counts(ranks_of_world()))
                for (const int root : roots_for(row))
                    for (const bool in_place : {false, true})
                        expect_reduction(row, reduction, count, root, in_place);
}

TEST(Reductions, PipelinesOfManyBlocksWork) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Algorithm& row : algorithms_for(reduction)) {
            if (std::ranges::find(pipelines, row.name) == std::end(pipelines)) continue;
            const bool has_root = row.operation == "MPI_Reduce";
            for (const int root : roots_for(row))
                expect_reduction(row, reduction, 20'001, root,
                                 has_root ? root == 0 : reduction.is_commutative);
        }
}

/// Puts ints in and takes them out again; AddressSanitizer sees accesses outside.
void expect_room_for(const ElementKind& kind, int count) {
    const MPI_Datatype type = kind.sender.type;
    const OperandBuffer buffer{count, type};
    int bytes = 0;
    MPI_Type_size(type, &bytes);
    std::vector<int> sent(static_cast<std::size_t>(count * bytes) / sizeof(int));
    std::iota(sent.begin(), sent.end(), 1);
    std::vector<int> received(sent.size());
    const auto numbers = static_cast<int>(sent.size());
    MPI_Sendrecv(sent.data(), numbers, MPI_INT, 0, 0, buffer.get(), count, type, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv(buffer.get(), count, type, 0, 0, received.data(), numbers, MPI_INT, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    EXPECT_EQ(received, sent) << kind.name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % alignof(std::max_align_t), 0U)
        << kind.name;
}

TEST(OperandBuffer, HasRoomForElementsWithGapsAndBoundsAndKeepsTheirAlignment) {
    for (const int count : {0, 1, 2, 17})
        for (const char* const kind : {"int", "resized with holes", "ints backwards"})
            expect_room_for(element_kind(kind), count);
}

/// The layout of a double and an int in C++: assigning such a struct may write its padding.
struct Padded {
    double number;
    int tag;
};

TEST(OperandBuffer, HasThePaddingOfTheLastElementToo) {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {offsetof(Padded, number), offsetof(Padded, tag)};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype entries = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &entries);
    const OwnedDatatype owned_entries{entries};
    MPI_Type_create_resized(entries, 0, sizeof(Padded), &type);
    const OwnedDatatype owned{type};
    for (const int count : {1, 3}) {
        const OperandBuffer buffer{count, type};
        // Writes like a user's operator; AddressSanitizer detects writes outside.
        std::memset(buffer.get(), 1, static_cast<std::size_t>(count) * sizeof(Padded));
    }
}

TEST(Reduction, PredefinedOperatorsAreThoseOfMPI) {
    EXPECT_TRUE(is_predefined(MPI_SUM));
    EXPECT_TRUE(is_predefined(MPI_MINLOC));
    for (const ReductionCase& reduction : reduction_cases())
        EXPECT_EQ(is_predefined(reduction.op), !reduction.owned) << reduction.name;
}

}  // namespace
}  // namespace mpiaudit::test
