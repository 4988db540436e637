// SPDX-License-Identifier: BSD-3-Clause
#include "problem/operator.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
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

/// Computes right[i] = combine(left[i], right[i]) for each element if the datatype is that of one
/// of the types T. Returns whether it is.
template <class... T, class F>
bool reduce(void* in, void* inout, int length, MPI_Datatype type, F combine) {
    const auto reduce_as = [&]<class One>(One) {
        if (type != type_of<One>()) return false;
        const One* left = static_cast<const One*>(in);
        One* right = static_cast<One*>(inout);
        for (int i = 0; i < length; ++i) right[i] = combine(left[i], right[i]);
        return true;
    };
    return (reduce_as(T{}) || ...);
}

/// Body of a user-defined operator, which the MPI library cannot recognise.
template <types::Arithmetic arithmetic>
void by_table(void* in, void* inout, int* length, MPI_Datatype* type) {
    const auto row =
        std::ranges::find(types::operators(), arithmetic, &types::OperatorRow::arithmetic);
    if (const types::BasicType* const basic = types::find_type(*type))
        types::combine(static_cast<const std::byte*>(in), static_cast<std::byte*>(inout),
                       static_cast<std::size_t>(*length), *basic, *row);
}

// The operators that audits time have loops of their own for the usual types.

void sum(void* in, void* inout, int* length, MPI_Datatype* type) {
    if (!reduce<int, long, float, double>(in, inout, *length, *type,
                                          [](auto a, auto b) { return a + b; }))
        by_table<types::Arithmetic::sum>(in, inout, length, type);
}

void largest(void* in, void* inout, int* length, MPI_Datatype* type) {
    if (!reduce<int, long, float, double>(in, inout, *length, *type,
                                          [](auto a, auto b) { return a < b ? b : a; }))
        by_table<types::Arithmetic::max>(in, inout, length, type);
}

void bits(void* in, void* inout, int* length, MPI_Datatype* type) {
    if (!reduce<int, long, unsigned char>(in, inout, *length, *type, [](auto a, auto b) {
            return static_cast<decltype(a)>(a | b);
        }))
        by_table<types::Arithmetic::bor>(in, inout, length, type);
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
    std::string name;
    Kind kind;
    std::string of_mpi;
    const char* c;  ///< null if no program can be written
    MPI_Op predefined = MPI_OP_NULL;
};

std::span<const Operator::Named> Operator::all() {
    static const std::vector<Named> rows = [] {
        std::vector<Named> made;
        for (const types::OperatorRow& each : types::operators())
            if (!each.is_of_user())
                made.push_back({types::option_name(each.name), each.arithmetic,
                                std::string(each.name), each.c, each.op});
        made.push_back({"user-sum", Kind::sum, "by_function", "a + b"});
        // An integer holds an affine map: a in the upper half, b in the lower half.
        made.push_back({"user-affine", Kind::user_ordered, "kept_order",
                        "((a >> 16) * (b >> 16) & 0x7fff) << 16 | "
                        "(((b >> 16) * (a & 0x7fff) + (b & 0x7fff)) & 0x7fff)"});
        return made;
    }();
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
    const Named& row = named(name);
    if (row.c == nullptr)
        throw std::invalid_argument("a program with " + row.of_mpi + " cannot be written");
    return {row.of_mpi, row.c};
}

Operator::Operator(std::string_view name) : name_{name} {
    kind_ = named(name).kind;
    op_ = named(name).predefined;
    if (op_ != MPI_OP_NULL) return;
    own_ = make_user_op(is_commutative());
    op_ = own_.get();
}

MPI_User_function* Operator::own_function() const {
    using enum types::Arithmetic;
    switch (kind_) {
        case Kind::sum:
            return mpiaudit::sum;
        case max:
            return largest;
        case bor:
            return bits;
        case min:
            return by_table<min>;
        case prod:
            return by_table<prod>;
        case land:
            return by_table<land>;
        case lor:
            return by_table<lor>;
        case lxor:
            return by_table<lxor>;
        case band:
            return by_table<band>;
        case bxor:
            return by_table<bxor>;
        case minloc:
            return by_table<minloc>;
        case maxloc:
            return by_table<maxloc>;
        case user_commutative:
        case user_ordered:
            break;
    }
    return affine;
}

const types::OperatorRow* Operator::row() const {
    const auto found =
        std::ranges::find(types::operators(), kind_, &types::OperatorRow::arithmetic);
    return found->is_of_user() ? nullptr : &*found;
}

OwnedOp Operator::make_user_op(bool commutes) const {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(own_function(), commutes ? 1 : 0, &op);
    return OwnedOp{op};
}

void Operator::reduce_here(const void* left, void* right, int count, const Element& element) const {
    if (!is_defined_for(element)) return;
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
    const types::BasicType* const basic = element.basic();
    if (basic == nullptr) return false;
    if (row() == nullptr) return basic->type == MPI_INT || basic->type == MPI_LONG;
    return types::is_timed(*row(), *basic);
}

bool Operator::has_zero_identity() const {
    using enum types::Arithmetic;
    constexpr Kind kinds[] = {sum, max, lor, lxor, bor, bxor, maxloc};
    return std::ranges::find(kinds, kind_) != std::end(kinds);
}

bool Operator::wraps_around(const Element& element) const {
    constexpr int most_bits = 16;
    return kind_ == Kind::sum && element.basic() != nullptr && element.basic()->is_unsigned() &&
           element.value_bits() <= most_bits;
}

bool Operator::rounds(const Element& element) const {
    return (kind_ == Kind::sum || kind_ == Kind::prod) && element.basic() != nullptr &&
           element.basic()->is_floating();
}

// Factors repeat every 64 ranks, so that sums over thousands of ranks are exact in every type.
Operator::Factor Operator::factor(int rank) const {
    const auto r = static_cast<std::uint64_t>(rank);
    const std::uint64_t shuffled = (37 * r + 11) % 64 + 1, bit = std::uint64_t{1} << (r % 16);
    switch (kind_) {
        case Kind::sum:
            return {r % 64 + 1, r};
        case Kind::max:
        case Kind::min:
            return {shuffled, 0};
        case Kind::minloc:
        case Kind::maxloc:
            return {shuffled, r};
        case Kind::bor:
        case Kind::bxor:
            return {bit, 0};
        case Kind::band:
            return {0xffff & ~bit, 0};
        // Affine maps with the same fixed point commute; these maps have different fixed points.
        case Kind::user_ordered:
            return {2 * (r % 64) + 3, shuffled};
        default:
            return {0, r};
    }
}

Operator::Factor Operator::combine(Factor left, Factor right) const {
    switch (kind_) {
        case Kind::sum:
            return {left.a + right.a, right.b};
        case Kind::max:
            return {std::max(left.a, right.a), 0};
        case Kind::min:
            return {std::min(left.a, right.a), 0};
        // If values are equal, the lowest index counts, which is the index of the left rank.
        case Kind::minloc:
            return right.a < left.a ? right : left;
        case Kind::maxloc:
            return right.a > left.a ? right : left;
        case Kind::bor:
            return {left.a | right.a, 0};
        case Kind::bxor:
            return {left.a ^ right.a, 0};
        case Kind::band:
            return {left.a & right.a, 0};
        case Kind::user_ordered:
            return {(left.a * right.a) & half_mask, (right.a * left.b + right.b) & half_mask};
        default:
            return right;
    }
}

Operator::Values::Values(Kind kind, Factor factor, const Element& element, bool is_result)
    : kind_{kind}, factor_{factor}, is_result_{is_result} {
    using enum types::Arithmetic;
    // 2.1e5 (the sum of 6400 factors) times 1000 fits an int, times 8 the significand of a float,
    // and 64 fits a signed byte.
    constexpr int bits_of_float = 24, bits_of_byte = 8;
    is_wide_ = element.value_bits() > bits_of_float;
    const bool is_byte = element.value_bits() <= bits_of_byte;
    const bool is_of_unsigned = element.basic() != nullptr && element.basic()->is_unsigned();
    // Sums of short unsigned integers may overflow, for they wrap around.
    numbers_ = is_wide_                                                         ? 1000
               : kind == sum && is_of_unsigned                                  ? 65536
               : is_byte && kind != user_ordered && kind != band && kind != bor ? 1
                                                                                : 8;
    const bool is_marked = kind == prod || kind == land || kind == lor || kind == lxor ||
                           (kind == sum && element.is_small_and_signed());
    form_ = is_marked                          ? Form::marked
            : kind == user_ordered             ? Form::affine
            : kind == minloc || kind == maxloc ? Form::pair
            : kind == bxor                     ? Form::shifted
            : kind == bor || kind == band      ? Form::bits
                                               : Form::product;
}

std::uint64_t Operator::Values::of_marked(std::uint64_t mark) const {
    // A product of 2 for each marked rank of the first 40 fits a signed byte.
    constexpr std::uint64_t most_factors = 5;
    const std::uint64_t rank = factor_.b;
    const std::uint64_t number = is_result_ ? (rank + marks - mark) / marks : rank % marks == mark;
    switch (kind_) {
        case Kind::prod: {
            const bool counts = is_result_ || rank < most_factors * marks;
            return std::uint64_t{1} << (counts ? std::min(number, most_factors) : 0);
        }
        case Kind::land:
            return number == 0 ? 1 : 0;
        case Kind::lor:
            return number > 0 ? 1 : 0;
        case Kind::lxor:
            return number % 2;
        default:
            return number;
    }
}

Operator::Values Operator::contributions(const Element& element, int rank) const {
    return {kind_, factor(rank), element, false};
}

Operator::Values Operator::reductions(const Element& element, int last) const {
    if (prefixes_.empty()) prefixes_.push_back(factor(0));
    while (static_cast<int>(prefixes_.size()) <= last)
        prefixes_.push_back(combine(prefixes_.back(), factor(static_cast<int>(prefixes_.size()))));
    return {kind_, prefixes_[static_cast<std::size_t>(last)], element, true};
}

}  // namespace mpiaudit
