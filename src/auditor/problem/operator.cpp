// SPDX-License-Identifier: BSD-3-Clause
#include "problem/operator.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "text/plain.h"

namespace mpiaudit {
namespace {

template <class T>
MPI_Datatype type_of() {
    if constexpr (std::is_same_v<T, int>) return MPI_INT;
    if constexpr (std::is_same_v<T, long>) return MPI_LONG;
    if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
    if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
    return MPI_BYTE;
}

/// Body of a user-defined operator: right[i] = combine(left[i], right[i]) for each element, if the
/// datatype is that of one of the types T. The MPI library cannot recognise the operator.
template <class... T, class F>
void reduce(void* in, void* inout, int length, MPI_Datatype type, F combine) {
    const auto reduce_as = [&]<class One>(One) {
        if (type != type_of<One>()) return;
        const One* left = static_cast<const One*>(in);
        One* right = static_cast<One*>(inout);
        for (int i = 0; i < length; ++i) right[i] = combine(left[i], right[i]);
    };
    (reduce_as(T{}), ...);
}

void sum(void* in, void* inout, int* length, MPI_Datatype* type) {
    reduce<int, long, float, double>(in, inout, *length, *type,
                                     [](auto a, auto b) { return a + b; });
}

void largest(void* in, void* inout, int* length, MPI_Datatype* type) {
    reduce<int, long, float, double>(in, inout, *length, *type,
                                     [](auto a, auto b) { return a < b ? b : a; });
}

void bits(void* in, void* inout, int* length, MPI_Datatype* type) {
    reduce<int, long, unsigned char>(
        in, inout, *length, *type, [](auto a, auto b) { return static_cast<decltype(a)>(a | b); });
}

constexpr std::uint32_t half_mask = Operator::half_mask;

/// Composes two affine maps x -> a x + b modulo 2^15, with a in the upper half of the integer and b
/// in the lower one; applies the left map first. Composition is associative and not commutative.
std::uint32_t compose(std::uint32_t left, std::uint32_t right) {
    const std::uint32_t a = ((left >> 16) * (right >> 16)) & half_mask;
    const std::uint32_t b = (right >> 16) * (left & half_mask) + (right & half_mask);
    return (a << 16) | (b & half_mask);
}

void affine(void* in, void* inout, int* length, MPI_Datatype* type) {
    reduce<int, long>(in, inout, *length, *type, [](auto a, auto b) {
        return static_cast<decltype(a)>(
            compose(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
    });
}

}  // namespace

struct Operator::Named {
    std::string_view name;
    Kind kind;
    const char *of_mpi, *c;
    MPI_Op predefined = MPI_OP_NULL;
};

std::span<const Operator::Named> Operator::all() {
    static const Named rows[] = {{"sum", Kind::sum, "MPI_SUM", "a + b", MPI_SUM},
                                 {"max", Kind::max, "MPI_MAX", "a > b ? a : b", MPI_MAX},
                                 {"bor", Kind::bor, "MPI_BOR", "a | b", MPI_BOR},
                                 {"user-sum", Kind::sum, "by_function", "a + b"},
                                 // An integer holds an affine map: a in the upper half, b in the
                                 // lower half.
                                 {"user-affine", Kind::affine, "kept_order",
                                  "((a >> 16) * (b >> 16) & 0x7fff) << 16 | "
                                  "(((b >> 16) * (a & 0x7fff) + (b & 0x7fff)) & 0x7fff)"}};
    return rows;
}

std::vector<std::string> Operator::names() {
    return names_of(all(), &Named::name);
}

const Operator::Named& Operator::named(std::string_view name) {
    const auto found = std::ranges::find(all(), name, &Named::name);
    if (found == all().end())
        throw std::invalid_argument("--op: " + unknown_name("operator", name, names()));
    return *found;
}

InC Operator::in_c(std::string_view name) {
    return {named(name).of_mpi, named(name).c};
}

Operator::Operator(std::string_view name) : name_{name} {
    kind_ = named(name).kind;
    op_ = named(name).predefined;
    if (op_ != MPI_OP_NULL) return;
    own_ = make_user_op(is_commutative());
    op_ = own_.get();
}

MPI_User_function* Operator::own_function() const {
    MPI_User_function* const functions[] = {sum, largest, bits, affine};  // in the order of Kind
    return functions[static_cast<std::size_t>(kind_)];
}

OwnedOp Operator::make_user_op(bool commutes) const {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(own_function(), commutes ? 1 : 0, &op);
    return OwnedOp{op};
}

void Operator::reduce_here(const void* left, void* right, int count, const Element& element) const {
    MPI_Datatype type = element.type();
    // The type MPI_User_function has no const.
    own_function()(const_cast<void*>(left), right, &count, &type);
}

MPI_Op Operator::op(OperatorForm form) const {
    if (form == OperatorForm::plain || !is_predefined()) return op_;
    OwnedOp& made = form == OperatorForm::order_kept ? order_kept_ : user_function_;
    if (!made) made = make_user_op(form == OperatorForm::user_function);
    return made.get();
}

bool Operator::is_defined_for(const Element& element) const {
    if (!element.is_basic()) return false;
    switch (element.basic()) {
        case Basic::byte:
            return kind_ == Kind::bor;
        case Basic::character:
            return false;  // MPI_CHAR is a type for text, without reductions
        case Basic::unsigned_character:
        case Basic::unsigned_short:
            return kind_ == Kind::sum && is_predefined();
        case Basic::integer:
        case Basic::long_integer:
            return true;
        case Basic::single_precision:
        case Basic::double_precision:
            return kind_ == Kind::sum || kind_ == Kind::max;
    }
    return false;
}

bool Operator::wraps_around(const Element& element) const {
    return kind_ == Kind::sum && element.is_basic() &&
           (element.basic() == Basic::unsigned_character ||
            element.basic() == Basic::unsigned_short);
}

bool Operator::rounds(const Element& element) const {
    return kind_ == Kind::sum && element.is_basic() &&
           (element.basic() == Basic::single_precision ||
            element.basic() == Basic::double_precision);
}

// Factors repeat every 64 ranks, so that sums over thousands of ranks are exact in every type.
Operator::Factor Operator::factor(int rank) const {
    const auto r = static_cast<std::uint64_t>(rank);
    switch (kind_) {
        case Kind::sum:
            return {r % 64 + 1, 0};
        case Kind::max:
            return {(37 * r + 11) % 64 + 1, 0};
        case Kind::bor:
            return {std::uint64_t{1} << (r % 16), 0};
        // Affine maps with the same fixed point commute; these maps have different fixed points.
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
