// SPDX-License-Identifier: BSD-3-Clause
#include "problem/operator.h"

#include <algorithm>
#include <stdexcept>

#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

template <class T, class F>
void reduce(void* in, void* inout, int length, F combine) {
    const T* left = static_cast<const T*>(in);
    T* right = static_cast<T*>(inout);
    for (int i = 0; i < length; ++i) right[i] = combine(left[i], right[i]);
}

/// What a predefined operator does, by a function of the user's, from which the library cannot know
/// it.
template <class F>
void reduce_arithmetic(void* in, void* inout, int length, MPI_Datatype type, F combine) {
    if (type == MPI_INT)
        reduce<int>(in, inout, length, combine);
    else if (type == MPI_LONG)
        reduce<long>(in, inout, length, combine);
    else if (type == MPI_FLOAT)
        reduce<float>(in, inout, length, combine);
    else
        reduce<double>(in, inout, length, combine);
}

void sum(void* in, void* inout, int* length, MPI_Datatype* type) {
    reduce_arithmetic(in, inout, *length, *type, [](auto a, auto b) { return a + b; });
}

void largest(void* in, void* inout, int* length, MPI_Datatype* type) {
    reduce_arithmetic(in, inout, *length, *type, [](auto a, auto b) { return a < b ? b : a; });
}

void bits(void* in, void* inout, int* length, MPI_Datatype* type) {
    const auto either = [](auto a, auto b) { return static_cast<decltype(a)>(a | b); };
    if (*type == MPI_INT)
        reduce<int>(in, inout, *length, either);
    else if (*type == MPI_LONG)
        reduce<long>(in, inout, *length, either);
    else
        reduce<unsigned char>(in, inout, *length, either);
}

constexpr std::uint32_t half_mask = Operator::half_mask;

/// Affine maps x -> a x + b modulo 2^15 with a in the upper half of an int and b in the lower one:
/// composition is associative and does not commute. The left operand is applied first.
std::uint32_t compose(std::uint32_t left, std::uint32_t right) {
    const std::uint32_t a = ((left >> 16) * (right >> 16)) & half_mask;
    const std::uint32_t b = (right >> 16) * (left & half_mask) + (right & half_mask);
    return (a << 16) | (b & half_mask);
}

void affine(void* in, void* inout, int* length, MPI_Datatype* type) {
    const auto composed = [](auto a, auto b) {
        return static_cast<decltype(a)>(
            compose(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
    };
    if (*type == MPI_INT)
        reduce<int>(in, inout, *length, composed);
    else
        reduce<long>(in, inout, *length, composed);
}

}  // namespace

std::vector<std::string> Operator::names() {
    return {"sum", "max", "bor", "user-sum", "user-affine"};
}

Operator::Operator(std::string_view name) : name_{name} {
    const auto user = [this](MPI_User_function* function, int commutes) {
        MPI_Op_create(function, commutes, &op_);
        own_ = OwnedOp{op_};
    };
    if (name == "sum") {
        kind_ = Kind::sum;
        op_ = MPI_SUM;
    } else if (name == "max") {
        kind_ = Kind::max;
        op_ = MPI_MAX;
    } else if (name == "bor") {
        kind_ = Kind::bor;
        op_ = MPI_BOR;
    } else if (name == "user-sum") {
        kind_ = Kind::sum;
        user(sum, 1);
    } else if (name == "user-affine") {
        kind_ = Kind::affine;
        user(affine, 0);
    } else {
        throw std::invalid_argument("--op: " + unknown_name("operator", name_, names()));
    }
}

MPI_Op Operator::op(OperatorForm form) const {
    if (form == OperatorForm::plain || !is_predefined()) return op_;
    OwnedOp& made = form == OperatorForm::order_kept ? order_kept_ : user_function_;
    if (!made) {
        MPI_User_function* const function =
            kind_ == Kind::sum ? sum : (kind_ == Kind::max ? largest : bits);
        MPI_Op op = MPI_OP_NULL;
        MPI_Op_create(function, form == OperatorForm::user_function ? 1 : 0, &op);
        made = OwnedOp{op};
    }
    return made.get();
}

bool Operator::is_defined_for(const Element& element) const {
    if (!element.is_basic()) return false;
    switch (element.basic()) {
        case Basic::byte:
            return kind_ == Kind::bor;
        case Basic::character:
            return false;  // MPI_CHAR is for text
        case Basic::integer:
        case Basic::long_integer:
            return true;
        case Basic::single_precision:
        case Basic::double_precision:
            return kind_ == Kind::sum || kind_ == Kind::max;
    }
    return false;
}

// Factors repeat every 64 ranks, so that sums over thousands of ranks stay exact in every type.
Operator::Factor Operator::factor(int rank) const {
    const auto r = static_cast<std::uint64_t>(rank);
    switch (kind_) {
        case Kind::sum:
            return {r % 64 + 1, 0};
        case Kind::max:
            return {(37 * r + 11) % 64 + 1, 0};
        case Kind::bor:
            return {std::uint64_t{1} << (r % 16), 0};
        // Maps x -> ax + b with the same fixed point commute: here no two have the same.
        case Kind::affine:
            return {2 * (r % 64) + 3, (37 * r + 11) % 64 + 1};
    }
    return {};
}

Operator::Factor Operator::combine(Factor left, Factor right) const {
    switch (kind_) {
        case Kind::sum:
            return {left.a + right.a, 0};
        case Kind::max:
            return {std::max(left.a, right.a), 0};
        case Kind::bor:
            return {left.a | right.a, 0};
        case Kind::affine:
            return {(left.a * right.a) & half_mask, (right.a * left.b + right.b) & half_mask};
    }
    return {};
}

Operator::Values Operator::contributions(const Element& element, int rank) const {
    return {kind_, factor(rank), element};
}

Operator::Values Operator::reductions(const Element& element, int last) const {
    if (prefixes_.empty()) prefixes_.push_back(factor(0));
    while (static_cast<int>(prefixes_.size()) <= last)
        prefixes_.push_back(combine(prefixes_.back(), factor(static_cast<int>(prefixes_.size()))));
    return {kind_, prefixes_[static_cast<std::size_t>(last)], element};
}

}  // namespace mpiaudit
