// SPDX-License-Identifier: BSD-3-Clause
#include "reduction_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "messages/kept_with.h"
#include "recorded_calls.h"

namespace mpiaudit::test {
namespace {

template <std::size_t n>
using Numbers = std::array<unsigned, n>;
using Matrix = Numbers<4>;
template <std::size_t n>
using Combination = Numbers<n> (*)(const Numbers<n>&, const Numbers<n>&);

Numbers<1> sum(const Numbers<1>& a, const Numbers<1>& b) {
    return {a[0] + b[0]};
}

Numbers<1> maximum(const Numbers<1>& a, const Numbers<1>& b) {
    return {std::max(a[0], b[0])};
}

Numbers<1> bitwise_or(const Numbers<1>& a, const Numbers<1>& b) {
    return {a[0] | b[0]};
}

Matrix product(const Matrix& a, const Matrix& b) {
    return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3]};
}

Numbers<3> sum_product_maximum(const Numbers<3>& a, const Numbers<3>& b) {
    return {a[0] + b[0], a[1] * b[1], std::max(a[2], b[2])};
}

Matrix sum_product_maximum_parity(const Matrix& a, const Matrix& b) {
    return {a[0] + b[0], a[1] * b[1], std::max(a[2], b[2]), a[3] ^ b[3]};
}

/// Returns the offsets of an element's numbers.
template <std::size_t n>
std::array<MPI_Aint, n> places(MPI_Datatype type) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent_bytes = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent_bytes);
    if constexpr (n == 4)
        if (lower_bound != 0) return {-8, -4, 8, 12};
    std::array<MPI_Aint, n> consecutive{};
    for (std::size_t i = 0; i < n; ++i) consecutive[i] = static_cast<MPI_Aint>(4 * i);
    return consecutive;
}

template <std::size_t n, Combination<n> combine>
void user_function(void* in, void* inout, int* count, MPI_Datatype* type) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent_bytes = 0;
    MPI_Type_get_extent(*type, &lower_bound, &extent_bytes);
    const auto offsets = places<n>(*type);
    for (int element = 0; element < *count; ++element) {
        Numbers<n> left{}, right{};
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

template <std::size_t n, Combination<n> combine>
std::vector<int> combined(const std::vector<int>& lefts, const std::vector<int>& rights) {
    std::vector<int> results;
    for (std::size_t begin = 0; begin < lefts.size(); begin += n) {
        Numbers<n> left{}, right{};
        std::copy_n(lefts.begin() + static_cast<std::ptrdiff_t>(begin), n, left.begin());
        std::copy_n(rights.begin() + static_cast<std::ptrdiff_t>(begin), n, right.begin());
        for (const unsigned each : combine(left, right)) results.push_back(static_cast<int>(each));
    }
    return results;
}

template <std::size_t n, Combination<n> combine>
ReductionCase user_defined(const char* name, std::string_view type, bool is_commutative) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(user_function<n, combine>, is_commutative, &op);
    return {name,           element_kind(type).sender.type, n,          op,
            is_commutative, combined<n, combine>,           OwnedOp{op}};
}

}  // namespace

std::vector<int> ReductionCase::operands(int rank, int count) const {
    std::vector<int> all(static_cast<std::size_t>(count * numbers));
    unsigned state = 2654435761U * static_cast<unsigned>(rank + 1);
    for (int& number : all) {
        state = state * 1664525U + 1013904223U;
        number = static_cast<int>(state >> 22);
    }
    return all;
}

std::vector<int> ReductionCase::reduced(int first, int last, int count) const {
    std::vector<int> result = operands(first, count);
    for (int rank = first + 1; rank <= last; ++rank)
        result = combine(result, operands(rank, count));
    return result;
}

std::vector<ReductionCase> reduction_cases() {
    std::vector<ReductionCase> all;
    all.push_back({"MPI_SUM of int", MPI_INT, 1, MPI_SUM, true, combined<1, sum>});
    all.push_back({"MPI_MAX of int", MPI_INT, 1, MPI_MAX, true, combined<1, maximum>});
    all.push_back({"MPI_BOR of int", MPI_INT, 1, MPI_BOR, true, combined<1, bitwise_or>});
    all.push_back({"MPI_SUM of double", MPI_DOUBLE, 1, MPI_SUM, true, combined<1, sum>});
    all.push_back(
        user_defined<3, sum_product_maximum>("sum, product and maximum", "three ints", true));
    all.push_back(user_defined<4, product>("matrix product", "contiguous", false));
    all.push_back(user_defined<4, product>("matrix product with gaps", "matrix with gaps", false));
    all.push_back(user_defined<4, sum_product_maximum_parity>("sum, product, maximum and parity",
                                                              "matrix with gaps", true));
    return all;
}

namespace {

/// The last rank whose operand is in the result of this rank; negative: the rank gets no result.
int last_in_result(std::string_view operation, int root, MPI_Comm comm) {
    const int rank = messages::rank_in(comm), last = messages::size_of(comm) - 1;
    if (operation == "MPI_Reduce") return rank == root ? last : -1;
    if (operation == "MPI_Allreduce") return last;
    return operation == "MPI_Scan" ? rank : rank - 1;
}

/// Writes numbers from the first element on.
void put(PatternBuffer& buffer, const ReductionCase& reduction, const std::vector<int>& numbers) {
    const int count = static_cast<int>(numbers.size()) / reduction.numbers;
    if (reduction.type == MPI_DOUBLE)
        buffer.put(0, count, std::vector<double>(numbers.begin(), numbers.end()).data());
    else
        buffer.put(0, count, numbers.data());
}

/// Each rank contributes `count` elements; what this one gets are the elements first, ..., end - 1
/// of the reduction over ranks 0, ..., last, or nothing.
/// \param call call(sendbuf, recvbuf)
template <class Call>
void expect_result(const std::string& what, const ReductionCase& reduction, int count, int last,
                   int first, int end, bool is_in_place, MPI_Comm comm, const Call& call) {
    PatternBuffer sent{reduction.type, count}, received{reduction.type, count};
    put(sent, reduction, reduction.operands(messages::rank_in(comm), count));
    if (is_in_place) received = sent;
    PatternBuffer expected = received;
    if (last >= 0) {
        const std::vector<int> all = reduction.reduced(0, last, count);
        put(expected, reduction,
            {all.begin() + first * reduction.numbers, all.begin() + end * reduction.numbers});
    }
    const PatternBuffer untouched = sent;
    private_communicator(comm);  // stays with it
    const OpenHandles before = open_handles;
    // A buffer of nothing may be none.
    void* const own = count > 0 ? sent.data() : nullptr;
    EXPECT_EQ(call(is_in_place ? MPI_IN_PLACE : own, count > 0 ? received.data() : nullptr),
              MPI_SUCCESS)
        << what;
    const std::string of = what + ", " + reduction.name + ", " + std::to_string(count);
    EXPECT_TRUE(received == expected) << of;
    EXPECT_TRUE(sent == untouched) << of;
    EXPECT_EQ(open_handles, before) << of;
}

}  // namespace

void expect_reduction(const Algorithm& algorithm, const ReductionCase& reduction, int count,
                      int root, bool in_place, MPI_Comm comm) {
    const bool has_root = algorithm.operation == "MPI_Reduce";
    const auto call = [&](const void* sent, void* received) {
        const MPI_Datatype type = reduction.type;
        if (has_root)
            return reinterpret_cast<decltype(&MPI_Reduce)>(algorithm.function)(
                sent, received, count, type, reduction.op, root, comm);
        return reinterpret_cast<decltype(&MPI_Allreduce)>(algorithm.function)(
            sent, received, count, type, reduction.op, comm);
    };
    expect_result(algorithm.name + ", root " + std::to_string(root), reduction, count,
                  last_in_result(algorithm.operation, root, comm), 0, count,
                  in_place && (!has_root || messages::rank_in(comm) == root), comm, call);
}

void expect_reduce_scatter(const Algorithm& algorithm, const ReductionCase& reduction,
                           const std::vector<int>& counts, bool in_place, MPI_Comm comm) {
    const auto call = [&](const void* sent, void* received) {
        const MPI_Datatype type = reduction.type;
        if (algorithm.operation == "MPI_Reduce_scatter_block")
            return reinterpret_cast<decltype(&MPI_Reduce_scatter_block)>(algorithm.function)(
                sent, received, counts.front(), type, reduction.op, comm);
        return reinterpret_cast<decltype(&MPI_Reduce_scatter)>(algorithm.function)(
            sent, received, counts.data(), type, reduction.op, comm);
    };
    const auto own = counts.begin() + messages::rank_in(comm);
    const int first = std::accumulate(counts.begin(), own, 0);
    expect_result(algorithm.name, reduction, std::accumulate(own, counts.end(), first),
                  messages::size_of(comm) - 1, first, first + *own, in_place, comm, call);
}

}  // namespace mpiaudit::test
