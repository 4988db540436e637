// SPDX-License-Identifier: BSD-3-Clause
#include "reduction_case.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mpiaudit::test {
namespace {

using Matrix = std::array<unsigned, 4>;
using Triple = std::array<unsigned, 3>;

Matrix product(const Matrix& a, const Matrix& b) {
    return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3]};
}

Triple sum_product_maximum(const Triple& a, const Triple& b) {
    return {a[0] + b[0], a[1] * b[1], std::max(a[2], b[2])};
}

Matrix sum_product_maximum_parity(const Matrix& a, const Matrix& b) {
    return {a[0] + b[0], a[1] * b[1], std::max(a[2], b[2]), a[3] ^ b[3]};
}

/// Where the numbers of one element lie.
template <std::size_t n>
std::array<MPI_Aint, n> places(MPI_Datatype type) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent_bytes = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent_bytes);
    if constexpr (n == 4)
        if (lower_bound != 0) return {8, 12, 24, 28};
    std::array<MPI_Aint, n> consecutive{};
    for (std::size_t i = 0; i < n; ++i) consecutive[i] = static_cast<MPI_Aint>(4 * i);
    return consecutive;
}

template <std::size_t n, std::array<unsigned, n> (*combine)(const std::array<unsigned, n>&,
                                                            const std::array<unsigned, n>&)>
void user_function(void* in, void* inout, int* count, MPI_Datatype* type) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent_bytes = 0;
    MPI_Type_get_extent(*type, &lower_bound, &extent_bytes);
    const auto offsets = places<n>(*type);
    for (int element = 0; element < *count; ++element) {
        std::array<unsigned, n> left{};
        std::array<unsigned, n> right{};
        char* const lefts = static_cast<char*>(in) + element * extent_bytes;
        char* const rights = static_cast<char*>(inout) + element * extent_bytes;
        for (std::size_t i = 0; i < n; ++i) {
            std::memcpy(&left[i], lefts + offsets[i], 4);
            std::memcpy(&right[i], rights + offsets[i], 4);
        }
        const auto result = combine(left, right);
        for (std::size_t i = 0; i < n; ++i) std::memcpy(rights + offsets[i], &result[i], 4);
    }
}

template <std::size_t n, class Combine>
std::vector<int> each(const std::vector<int>& lefts, const std::vector<int>& rights,
                      Combine combine) {
    std::vector<int> results(lefts.size());
    for (std::size_t begin = 0; begin < lefts.size(); begin += n) {
        std::array<unsigned, n> left{};
        std::array<unsigned, n> right{};
        for (std::size_t i = 0; i < n; ++i) {
            left[i] = static_cast<unsigned>(lefts[begin + i]);
            right[i] = static_cast<unsigned>(rights[begin + i]);
        }
        const auto result = combine(left, right);
        for (std::size_t i = 0; i < n; ++i) results[begin + i] = static_cast<int>(result[i]);
    }
    return results;
}

ReductionCase predefined(std::string name, ElementType element, MPI_Op op,
                         int (*combine)(int, int)) {
    return {std::move(name), std::move(element), op, true,
            [combine](const std::vector<int>& left, const std::vector<int>& right) {
                std::vector<int> result(left.size());
                std::transform(left.begin(), left.end(), right.begin(), result.begin(), combine);
                return result;
            }};
}

ElementType numbers_in_a_row(const char* name, int numbers) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(numbers, MPI_INT, &type);
    MPI_Type_commit(&type);
    return {name, type, numbers, OwnedDatatype{type}};
}

ElementType matrix_with_gaps() {
    const std::array<MPI_Aint, 2> rows{8, 24};
    MPI_Datatype packed = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_block(2, 2, rows.data(), MPI_INT, &packed);
    const OwnedDatatype owned{packed};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(packed, -4, 44, &type);
    MPI_Type_commit(&type);
    return {"matrix with gaps", type, 4, OwnedDatatype{type}};
}

template <std::size_t n, std::array<unsigned, n> (*combine)(const std::array<unsigned, n>&,
                                                            const std::array<unsigned, n>&)>
ReductionCase user_defined(std::string name, ElementType element, bool is_commutative) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(user_function<n, combine>, is_commutative, &op);
    return {std::move(name),
            std::move(element),
            op,
            is_commutative,
            [](const std::vector<int>& left, const std::vector<int>& right) {
                return each<n>(left, right, combine);
            },
            OwnedOp{op}};
}

}  // namespace

std::vector<int> ReductionCase::operands(int rank, int count) const {
    std::vector<int> numbers(static_cast<std::size_t>(count * element.numbers));
    unsigned state = 2654435761U * static_cast<unsigned>(rank + 1);
    for (int& number : numbers) {
        state = state * 1664525U + 1013904223U;
        number = static_cast<int>(state >> 22);
    }
    return numbers;
}

std::vector<int> ReductionCase::reduced(int first, int last, int count) const {
    std::vector<int> result = operands(first, count);
    for (int rank = first + 1; rank <= last; ++rank)
        result = combine(result, operands(rank, count));
    return result;
}

std::vector<ReductionCase> reduction_cases() {
    const auto sum = [](int a, int b) { return a + b; };
    std::vector<ReductionCase> all;
    all.push_back(predefined("MPI_SUM of int", int_type(), MPI_SUM, sum));
    all.push_back(predefined("MPI_MAX of int", int_type(), MPI_MAX,
                             [](int a, int b) { return std::max(a, b); }));
    all.push_back(
        predefined("MPI_BOR of int", int_type(), MPI_BOR, [](int a, int b) { return a | b; }));
    all.push_back(predefined("MPI_SUM of double", double_type(), MPI_SUM, sum));
    all.push_back(user_defined<3, sum_product_maximum>("sum, product and maximum",
                                                       numbers_in_a_row("triple", 3), true));
    all.push_back(user_defined<4, product>("matrix product", numbers_in_a_row("matrix", 4), false));
    all.push_back(user_defined<4, product>("matrix product", matrix_with_gaps(), false));
    all.push_back(user_defined<4, sum_product_maximum_parity>("sum, product, maximum and parity",
                                                              matrix_with_gaps(), true));
    return all;
}

}  // namespace mpiaudit::test
