// SPDX-License-Identifier: BSD-3-Clause
#include "typed_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "messages/messages.h"

namespace mpiaudit::test {
namespace {

constexpr unsigned char poison = 0xA5;
// A multiple of every alignment.
constexpr MPI_Aint margin_bytes = 128;

}  // namespace

ElementType element_type(std::string name, MPI_Datatype type, int numbers) {
    MPI_Type_commit(&type);
    return {std::move(name), type, numbers, OwnedDatatype{type}};
}

ElementType int_type() {
    return {"int", MPI_INT, 1};
}

ElementType double_type() {
    return {"double", MPI_DOUBLE, 1};
}

ElementType vector_with_hole() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    return element_type("vector with hole", type, 2);
}

ElementType resized_with_holes() {
    const std::array<MPI_Aint, 2> places{4, 16};
    MPI_Datatype ints = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_block(2, 1, places.data(), MPI_INT, &ints);
    const OwnedDatatype owned{ints};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(ints, -8, 36, &type);
    return element_type("resized with holes", type, 2);
}

std::vector<int> numbers_of(int rank, int count, int tag) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 1 + 1'000'000 * rank + 100'000 * tag);
    return numbers;
}

TypedBuffer::TypedBuffer(const ElementType& element, MPI_Aint elements) : element_{&element} {
    MPI_Aint bound = 0;
    MPI_Aint true_bytes = 0;
    MPI_Type_get_extent(element.type, &bound, &extent_bytes_);
    MPI_Type_get_true_extent(element.type, &bound, &true_bytes);
    origin_bytes_ = margin_bytes;
    memory_.assign(
        static_cast<std::size_t>(elements * extent_bytes_ + true_bytes + 2 * margin_bytes), poison);
}

void TypedBuffer::put(MPI_Aint first, const std::vector<int>& numbers) {
    const auto count = static_cast<int>(numbers.size());
    void* place = memory_.data() + origin_bytes_ + first * extent_bytes_;
    const auto copy = [&](const void* from, MPI_Datatype type) {
        MPI_Sendrecv(from, count, type, 0, 0, place, count / element_->numbers, element_->type, 0,
                     0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    };
    if (element_->is_double())
        copy(std::vector<double>(numbers.begin(), numbers.end()).data(), MPI_DOUBLE);
    else
        copy(numbers.data(), MPI_INT);
}

void expect_bcast(const Algorithm& algorithm, const ElementType& element, int count, int root,
                  MPI_Comm comm) {
    TypedBuffer buffer{element, count};
    TypedBuffer expected = buffer;
    expected.put(0, numbers_of(root, count * element.numbers));
    if (messages::rank_in(comm) == root) buffer = expected;
    const auto bcast = reinterpret_cast<decltype(&MPI_Bcast)>(algorithm.function);
    EXPECT_EQ(bcast(buffer.get(), count, element.type, root, comm), MPI_SUCCESS);
    EXPECT_TRUE(buffer == expected)
        << algorithm.name << ", " << count << " of " << element.name << ", root " << root;
}

std::vector<int> element_counts(int size) {
    if (size > 8) return {0, 1, 5, size, 100};
    return {0, 1, 2, 5, size, 100, 1000};
}

std::vector<int> roots(int size) {
    if (size > 5) return {0, 1, size / 2 + 1, size - 1};
    std::vector<int> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace mpiaudit::test
