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
#include "messages/kept_with.h"
#include "recorded_calls.h"
#include "reduction_case.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

// All reductions of vectors: to a root, to all, and over the ranks up to one's own.
enum class Result { at_root, everywhere, prefixed, exclusively_prefixed };

constexpr std::string_view reductions[] = {"MPI_Reduce", "MPI_Allreduce", "MPI_Scan", "MPI_Exscan"};
/// Those that cut vectors.
constexpr std::string_view pipelines[] = {
    "circulant_Reduce", "chain_Reduce",       "binary_Reduce",      "split_binary_Reduce",
    "two_tree_Reduce",  "two_tree_Allreduce", "dual_root_Allreduce"};

/// A row of the table of algorithms.
struct Variant {
    explicit Variant(const Algorithm& row) : name{row.name}, function{row.function} {
        result = row.operation == "MPI_Reduce"      ? Result::at_root
                 : row.operation == "MPI_Allreduce" ? Result::everywhere
                 : row.operation == "MPI_Scan"      ? Result::prefixed
                                                    : Result::exclusively_prefixed;
        keeps_order = (row.traits & reorders_operands) == 0;
        is_pipeline = std::ranges::find(pipelines, name) != std::end(pipelines);
    }
    int call(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
             int root) const {
        if (has_root())
            return reinterpret_cast<decltype(&MPI_Reduce)>(function)(sent, received, count, type,
                                                                     op, root, MPI_COMM_WORLD);
        return reinterpret_cast<decltype(&MPI_Allreduce)>(function)(sent, received, count, type, op,
                                                                    MPI_COMM_WORLD);
    }

    std::string name;
    Function function;
    Result result;
    bool keeps_order;
    bool is_pipeline;

    bool has_root() const { return result == Result::at_root; }
    bool takes(const ReductionCase& reduction) const {
        return keeps_order || reduction.is_commutative;
    }
    std::vector<int> all_roots() const {
        if (!has_root()) return {0};
        if (name != "TUW_Reduce") return roots(ranks_of_world());
        // Its tree is another one for each root, whatever the operator.
        std::vector<int> all(static_cast<std::size_t>(ranks_of_world()));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    /// Up to which rank operands are in this rank's result; negative: it gets none.
    int last(int root) const {
        const int rank = own_rank();
        if (has_root()) return rank == root ? ranks_of_world() - 1 : -1;
        if (result == Result::everywhere) return ranks_of_world() - 1;
        return result == Result::prefixed ? rank : rank - 1;
    }
};

const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> made;
        for (const Algorithm& row : algorithms())
            if ((row.traits & on_nodes) == 0 &&
                std::ranges::find(reductions, row.operation) != std::end(reductions))
                made.emplace_back(row);
        return made;
    }();
    return all;
}

void expect_reduction(const Variant& variant, const ReductionCase& reduction, int count, int root,
                      bool in_place) {
    const bool is_in_place = in_place && (!variant.has_root() || own_rank() == root);
    TypedBuffer sent{reduction.element, count};
    TypedBuffer received{reduction.element, count};
    sent.put(0, reduction.operands(own_rank(), count));
    if (is_in_place) received = sent;
    TypedBuffer expected = received;
    const int last = variant.last(root);
    if (last >= 0) expected.put(0, reduction.reduced(0, last, count));
    const TypedBuffer untouched = sent;
    private_communicator(MPI_COMM_WORLD);  // stays with it
    const OpenHandles before = open_handles();
    variant.call(is_in_place ? MPI_IN_PLACE : sent.get(), received.get(), count,
                 reduction.element.type, reduction.op, root);
    const std::string what = variant.name + ", " + reduction.name + ", " + std::to_string(count) +
                             " of " + reduction.element.name + ", root " + std::to_string(root);
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
    EXPECT_EQ(open_handles(), before) << what;
}

TEST(Reductions, CombineInTheOrderOfTheRanksAndTouchNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants()) {
            if (!variant.takes(reduction)) continue;
            for (const int count : element_counts(ranks_of_world()))
                for (const int root : variant.all_roots())
                    for (const bool in_place : {false, true})
                        expect_reduction(variant, reduction, count, root, in_place);
        }
}

TEST(Reductions, PipelinesOfManyBlocksWork) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants())
            if (variant.is_pipeline && variant.takes(reduction))
                for (const int root : variant.all_roots())
                    expect_reduction(variant, reduction, 20'001, root,
                                     variant.has_root() ? root == 0 : reduction.is_commutative);
}

TEST(Reductions, AcceptNullBuffersOfNothing) {
    for (const Variant& variant : variants())
        EXPECT_EQ(variant.call(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0), MPI_SUCCESS);
}

ElementType laid_out_backwards() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, -8, &type);
    MPI_Type_commit(&type);
    return {"backwards", type, 1, OwnedDatatype{type}};
}

/// Puts numbers in and takes them out again; AddressSanitizer sees what lies outside.
void expect_room_for(const ElementType& element, int count) {
    const OperandBuffer buffer{count, element.type};
    std::vector<int> sent(static_cast<std::size_t>(count * element.numbers));
    std::iota(sent.begin(), sent.end(), 1);
    std::vector<int> received(sent.size());
    const auto numbers = static_cast<int>(sent.size());
    MPI_Sendrecv(sent.data(), numbers, MPI_INT, 0, 0, buffer.get(), count, element.type, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv(buffer.get(), count, element.type, 0, 0, received.data(), numbers, MPI_INT, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    EXPECT_EQ(received, sent) << element.name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % alignof(std::max_align_t), 0U)
        << element.name;
}

TEST(OperandBuffer, HasRoomForElementsWithGapsAndBoundsAndKeepsTheirAlignment) {
    for (const int count : {0, 1, 2, 17}) {
        expect_room_for(int_type(), count);
        expect_room_for(resized_with_holes(), count);
        expect_room_for(laid_out_backwards(), count);
    }
}

/// What a C++ compiler makes of a double and an int: a new struct may be assigned with its padding.
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
        // As an operator of the caller may; AddressSanitizer sees what lies outside.
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
