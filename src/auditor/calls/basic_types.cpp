// SPDX-License-Identifier: BSD-3-Clause
#include "calls/basic_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "random/random_bits.h"

namespace mpiaudit::calls {
namespace {

using Number = std::variant<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                            std::uint32_t, std::int64_t, std::uint64_t, float, double, long double,
                            bool, std::complex<float>, std::complex<double>>;

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

/// Returns f(zero) with a zero of the C++ type of the cell.
template <class F>
decltype(auto) with_cell(Cell cell, F&& f) {
    static const std::array<Number, 14> zeros{std::int8_t{},
                                              std::uint8_t{},
                                              std::int16_t{},
                                              std::uint16_t{},
                                              std::int32_t{},
                                              std::uint32_t{},
                                              std::int64_t{},
                                              std::uint64_t{},
                                              0.0F,
                                              0.0,
                                              0.0L,
                                              false,
                                              std::complex<float>{},
                                              std::complex<double>{}};
    return std::visit(std::forward<F>(f), zeros[static_cast<std::size_t>(cell)]);
}

template <class T>
T load(const std::byte* at) {
    T value{};
    std::memcpy(&value, at, std::is_same_v<T, long double> ? 10 : sizeof value);
    return value;
}

template <class T>
void store(std::byte* at, T value) {
    std::memcpy(at, &value, std::is_same_v<T, long double> ? 10 : sizeof value);
}

template <class T>
constexpr Cell integer_cell() {
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<Cell>(2 * log + (std::is_signed_v<T> ? 0 : 1));
}

template <class T>
BasicType integer_type(std::string_view name, MPI_Datatype type,
                       TypeClass type_class = TypeClass::c_integer) {
    return {name, type, type_class, integer_cell<T>(), sizeof(T), 0};
}

template <class T>
struct Pair {
    T value;
    int index;
};
template <class T>
BasicType pair_type(std::string_view name, MPI_Datatype type, Cell cell) {
    return {name, type, TypeClass::pair, cell, sizeof(Pair<T>), offsetof(Pair<T>, index)};
}

/// A random number of any value, as moved data have it.
template <class T>
T any_number(std::uint64_t bits, Contents contents) {
    if constexpr (IsComplex<T>::value) {
        using Part = typename T::value_type;
        return {any_number<Part>(bits, contents), any_number<Part>(mix_bits(bits), contents)};
    } else if constexpr (std::is_floating_point_v<T>) {
        const T usual = static_cast<T>(static_cast<std::int64_t>(bits % 2'000'001) - 1'000'000);
        if (bits >> 62 != 0) return usual;  // a quarter of the elements is special
        if (contents == Contents::subnormal)
            return std::numeric_limits<T>::denorm_min() * static_cast<T>(1 + bits % 1000);
        if (contents == Contents::infinite)
            return bits & 1 ? std::numeric_limits<T>::infinity()
                            : -std::numeric_limits<T>::infinity();
        if (contents == Contents::not_a_number) return std::numeric_limits<T>::quiet_NaN();
        if (contents == Contents::negative_zero) return static_cast<T>(-0.0);
        return usual;
    } else if constexpr (std::is_same_v<T, bool>) {
        return bits & 1;
    } else {
        return static_cast<T>(bits);
    }
}

/// A number whose reductions are exact and in range in every order: small, and in products 1 but
/// for one rank.
template <class T>
T operand(const ElementKey& key, std::uint64_t bits, Contents contents, const OperatorRow& op,
          int actors) {
    const auto chosen =
        static_cast<int>(mix_bits(key.seed, static_cast<std::uint64_t>(key.element)) %
                         static_cast<std::uint64_t>(std::max(1, actors)));
    const bool is_chosen = chosen == key.actor % std::max(1, actors);
    switch (op.arithmetic) {
        case Arithmetic::land:
        case Arithmetic::lor:
        case Arithmetic::lxor:
            return static_cast<T>(bits % 3 == 0 ? 0 : 1);
        case Arithmetic::band:
        case Arithmetic::bor:
        case Arithmetic::bxor:
            return any_number<T>(bits, Contents::exact);
        case Arithmetic::max:
        case Arithmetic::min:
            return any_number<T>(bits, contents);
        case Arithmetic::minloc:
        case Arithmetic::maxloc:
            return static_cast<T>(bits % 3);  // equal values occur
        case Arithmetic::prod:
            if constexpr (IsComplex<T>::value)
                return is_chosen ? T{2, 1} : bits & 1 ? T{0, 1} : T{1, 0};
            else
                return static_cast<T>(is_chosen ? 2 + bits % 2 : 1);
        default:
            break;
    }
    if constexpr (IsComplex<T>::value) {
        using Part = typename T::value_type;
        return {operand<Part>(key, bits, contents, op, actors),
                operand<Part>(key, mix_bits(bits), contents, op, actors)};
    } else if constexpr (std::is_floating_point_v<T>) {
        if (contents == Contents::rounding)
            return static_cast<T>(static_cast<double>(bits >> 11) * 0x1p-53 *
                                  (bits % 7 == 0 ? 1e6 : 1.0));
        if (contents == Contents::subnormal)
            return std::numeric_limits<T>::denorm_min() * static_cast<T>(1 + bits % 1000);
        if (contents == Contents::negative_zero) return static_cast<T>(-0.0);
        if (contents == Contents::infinite && is_chosen && bits % 2 == 0)
            return std::numeric_limits<T>::infinity();
        if (contents == Contents::not_a_number && is_chosen && bits % 2 == 0)
            return std::numeric_limits<T>::quiet_NaN();
        return static_cast<T>(1 + bits % 3);
    } else {
        return static_cast<T>(contents == Contents::wrapping ? bits : 1 + bits % 3);
    }
}

template <class T>
T combined(T left, T right, Arithmetic arithmetic) {
    if (arithmetic == Arithmetic::sum) {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
            return static_cast<T>(static_cast<std::uint64_t>(left) +
                                  static_cast<std::uint64_t>(right));
        else
            return static_cast<T>(left + right);
    }
    if (arithmetic == Arithmetic::prod) return static_cast<T>(left * right);
    if constexpr (!IsComplex<T>::value) {
        const bool a = left != T{}, b = right != T{};
        switch (arithmetic) {
            case Arithmetic::max:
                return left > right ? left : right;
            case Arithmetic::min:
                return left < right ? left : right;
            case Arithmetic::land:
                return static_cast<T>(a && b);
            case Arithmetic::lor:
                return static_cast<T>(a || b);
            case Arithmetic::lxor:
                return static_cast<T>(a != b);
            default:
                break;
        }
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            if (arithmetic == Arithmetic::band) return static_cast<T>(left & right);
            if (arithmetic == Arithmetic::bor) return static_cast<T>(left | right);
            if (arithmetic == Arithmetic::bxor) return static_cast<T>(left ^ right);
        }
    }
    return right;
}

/// Maps x -> a x + b modulo 16, a in the upper half of a byte and b in the lower one; `left` is
/// applied first. Composition is associative and does not commute.
std::byte composed(std::byte left, std::byte right) {
    const auto of = [](std::byte byte) {
        return std::pair{std::to_integer<unsigned>(byte) >> 4,
                         std::to_integer<unsigned>(byte) & 15U};
    };
    const auto [a1, b1] = of(left);
    const auto [a2, b2] = of(right);
    return static_cast<std::byte>(((a1 * a2 & 15U) << 4) | ((a2 * b1 + b2) & 15U));
}

void combine_pairs(const std::byte* left, std::byte* right, const BasicType& type,
                   Arithmetic arithmetic) {
    with_cell(type.cell, [&]<class T>(T) {
        if constexpr (!IsComplex<T>::value) {
            const T a = load<T>(left), b = load<T>(right);
            const int of_a = load<int>(left + type.index_offset),
                      of_b = load<int>(right + type.index_offset);
            const bool takes_left = a == b                             ? of_a < of_b
                                    : arithmetic == Arithmetic::minloc ? a < b
                                                                       : a > b;
            if (!takes_left) return;
            store(right, a);
            store(right + type.index_offset, of_a);
        }
    });
}

}  // namespace

std::span<const BasicType> basic_types() {
    using enum TypeClass;
    static const std::vector<BasicType> all{
        integer_type<int>("MPI_INT", MPI_INT),
        {"MPI_DOUBLE", MPI_DOUBLE, floating, Cell::float64, sizeof(double), 0},
        {"MPI_FLOAT", MPI_FLOAT, floating, Cell::float32, sizeof(float), 0},
        integer_type<char>("MPI_CHAR", MPI_CHAR, text),
        {"MPI_BYTE", MPI_BYTE, bytes, Cell::uint8, 1, 0},
        integer_type<long>("MPI_LONG", MPI_LONG),
        integer_type<signed char>("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR),
        integer_type<unsigned char>("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR),
        integer_type<short>("MPI_SHORT", MPI_SHORT),
        integer_type<unsigned short>("MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT),
        integer_type<unsigned>("MPI_UNSIGNED", MPI_UNSIGNED),
        integer_type<unsigned long>("MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG),
        integer_type<long long>("MPI_LONG_LONG", MPI_LONG_LONG),
        integer_type<unsigned long long>("MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG),
        integer_type<std::int8_t>("MPI_INT8_T", MPI_INT8_T),
        integer_type<std::int16_t>("MPI_INT16_T", MPI_INT16_T),
        integer_type<std::int32_t>("MPI_INT32_T", MPI_INT32_T),
        integer_type<std::int64_t>("MPI_INT64_T", MPI_INT64_T),
        integer_type<std::uint8_t>("MPI_UINT8_T", MPI_UINT8_T),
        integer_type<std::uint16_t>("MPI_UINT16_T", MPI_UINT16_T),
        integer_type<std::uint32_t>("MPI_UINT32_T", MPI_UINT32_T),
        integer_type<std::uint64_t>("MPI_UINT64_T", MPI_UINT64_T),
        {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, floating, Cell::extended, sizeof(long double), 0},
        {"MPI_C_BOOL", MPI_C_BOOL, logical, Cell::boolean, 1, 0},
        {"MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX, complex, Cell::complex64, 8, 0},
        {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, complex, Cell::complex128, 16, 0},
        integer_type<wchar_t>("MPI_WCHAR", MPI_WCHAR, text),
        integer_type<MPI_Aint>("MPI_AINT", MPI_AINT, multi_language),
        integer_type<MPI_Offset>("MPI_OFFSET", MPI_OFFSET, multi_language),
        integer_type<MPI_Count>("MPI_COUNT", MPI_COUNT, multi_language),
        pair_type<int>("MPI_2INT", MPI_2INT, Cell::int32),
        pair_type<float>("MPI_FLOAT_INT", MPI_FLOAT_INT, Cell::float32),
        pair_type<double>("MPI_DOUBLE_INT", MPI_DOUBLE_INT, Cell::float64),
        pair_type<long>("MPI_LONG_INT", MPI_LONG_INT, Cell::int64),
        pair_type<short>("MPI_SHORT_INT", MPI_SHORT_INT, Cell::int16),
        pair_type<long double>("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, Cell::extended),
        {"MPI_INTEGER", MPI_INTEGER, fortran_integer, Cell::int32, 4, 0},
        {"MPI_REAL", MPI_REAL, floating, Cell::float32, 4, 0},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, floating, Cell::float64, 8, 0},
        {"MPI_COMPLEX", MPI_COMPLEX, complex, Cell::complex64, 8, 0},
        {"MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX, complex, Cell::complex128, 16, 0},
        {"MPI_LOGICAL", MPI_LOGICAL, logical, Cell::int32, 4, 0},
        integer_type<char>("MPI_CHARACTER", MPI_CHARACTER, text),
    };
    return all;
}

std::span<const OperatorRow> operators() {
    using enum Arithmetic;
    static const std::vector<OperatorRow> all{{"MPI_SUM", MPI_SUM, sum},
                                              {"MPI_MAX", MPI_MAX, max},
                                              {"MPI_MIN", MPI_MIN, min},
                                              {"MPI_PROD", MPI_PROD, prod},
                                              {"MPI_LAND", MPI_LAND, land},
                                              {"MPI_LOR", MPI_LOR, lor},
                                              {"MPI_LXOR", MPI_LXOR, lxor},
                                              {"MPI_BAND", MPI_BAND, band},
                                              {"MPI_BOR", MPI_BOR, bor},
                                              {"MPI_BXOR", MPI_BXOR, bxor},
                                              {"MPI_MINLOC", MPI_MINLOC, minloc},
                                              {"MPI_MAXLOC", MPI_MAXLOC, maxloc},
                                              {"commutative", MPI_OP_NULL, user_commutative},
                                              {"ordered", MPI_OP_NULL, user_ordered}};
    return all;
}

bool is_defined(const OperatorRow& op, const BasicType& type) {
    using enum Arithmetic;
    using enum TypeClass;
    if (op.is_of_user()) return true;
    const TypeClass of = type.type_class;
    const bool is_integer = of == c_integer || of == fortran_integer || of == multi_language;
    switch (op.arithmetic) {
        case max:
        case min:
            return is_integer || of == floating;
        case sum:
        case prod:
            return is_integer || of == floating || of == TypeClass::complex;
        case land:
        case lor:
        case lxor:
            return of == c_integer || of == logical;
        case band:
        case bor:
        case bxor:
            return is_integer || of == bytes;
        default:
            return of == TypeClass::pair;
    }
}

void write_element(std::byte* at, const BasicType& type, const ElementKey& key, Contents contents,
                   const OperatorRow* op, int actors) {
    const std::uint64_t bits =
        mix_bits(mix_bits(mix_bits(key.seed, static_cast<std::uint64_t>(key.actor)),
                          static_cast<std::uint64_t>(key.block)),
                 static_cast<std::uint64_t>(key.element));
    if (op != nullptr && op->is_of_user()) {
        for_each_stretch(type, [&](std::size_t offset, std::size_t bytes) {
            for (std::size_t i = offset; i < offset + bytes; ++i)
                at[i] = static_cast<std::byte>(mix_bits(bits + i));
        });
        return;
    }
    with_cell(type.cell, [&]<class T>(T) {
        store(at, op != nullptr ? operand<T>(key, bits, contents, *op, actors)
                                : any_number<T>(bits, contents));
    });
    if (type.type_class == TypeClass::logical && op == nullptr && type.cell == Cell::int32)
        store(at, static_cast<std::int32_t>(bits & 1));
    if (type.is_pair()) store(at + type.index_offset, static_cast<int>(mix_bits(bits) % 1000));
}

void combine(const std::byte* left, std::byte* right, const BasicType& type,
             const OperatorRow& op) {
    if (op.is_of_user()) {
        for_each_stretch(type, [&](std::size_t offset, std::size_t bytes) {
            for (std::size_t i = offset; i < offset + bytes; ++i)
                right[i] = op.arithmetic == Arithmetic::user_commutative
                               ? left[i] ^ right[i]
                               : composed(left[i], right[i]);
        });
    } else if (type.is_pair()) {
        combine_pairs(left, right, type, op.arithmetic);
    } else {
        with_cell(type.cell, [&]<class T>(T) {
            store(right, combined(load<T>(left), load<T>(right), op.arithmetic));
        });
    }
}

bool is_same(const std::byte* one, const std::byte* other, const BasicType& type) {
    bool same = true;
    for_each_stretch(type, [&](std::size_t offset, std::size_t bytes) {
        same = same && std::memcmp(one + offset, other + offset, bytes) == 0;
    });
    return same;
}

double magnitude(const std::byte* at, const BasicType& type) {
    return with_cell(type.cell, [&]<class T>(T) -> double {
        if constexpr (std::is_arithmetic_v<T>)
            return std::abs(static_cast<double>(load<T>(at)));
        else
            return static_cast<double>(std::abs(load<T>(at)));
    });
}

bool is_near(const std::byte* got, const std::byte* expected, const BasicType& type,
             double sum_of_magnitudes, int actors) {
    if (is_same(got, expected, type)) return true;
    return with_cell(type.cell, [&]<class T>(T) -> bool {
        if constexpr (std::is_floating_point_v<T> || IsComplex<T>::value) {
            const T a = load<T>(got), b = load<T>(expected);
            if constexpr (std::is_floating_point_v<T>) {
                if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
                if (a == b) return true;
            }
            const double unit = type.cell == Cell::float32 || type.cell == Cell::complex64
                                    ? std::numeric_limits<float>::epsilon()
                                    : std::numeric_limits<double>::epsilon();
            // Each of the additions rounds by at most half a unit of a partial sum; twice that, for
            // the expected value rounds as well.
            return static_cast<double>(std::abs(a - b)) <= 2 * unit * actors * sum_of_magnitudes;
        } else {
            return false;
        }
    });
}

std::string text_of(const std::byte* at, const BasicType& type) {
    const std::string value = with_cell(type.cell, [&]<class T>(T) {
        const T number = load<T>(at);
        if constexpr (IsComplex<T>::value)
            return fmt::format("{}+{}i", number.real(), number.imag());
        else if constexpr (sizeof(T) == 1)
            return fmt::format("{}", static_cast<int>(number));
        else
            return fmt::format("{}", number);
    });
    return type.is_pair() ? fmt::format("({}, {})", value, load<int>(at + type.index_offset))
                          : value;
}

}  // namespace mpiaudit::calls
