// SPDX-License-Identifier: BSD-3-Clause
#include "types/basic_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "types/numbers.h"

namespace mpiaudit::types {
namespace {

template <class T>
constexpr Cell integer_cell() {
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<Cell>(2 * log + (std::is_signed_v<T> ? 0 : 1));
}

template <class T>
BasicType integer_type(std::string_view name, MPI_Datatype type, const char* c,
                       TypeClass type_class = TypeClass::c_integer) {
    return {name, type, type_class, integer_cell<T>(), sizeof(T), 0, c};
}

template <class T>
struct Pair {
    T value;
    int index;
};
template <class T>
BasicType pair_type(std::string_view name, MPI_Datatype type, Cell cell, const char* c) {
    return {name, type, TypeClass::pair, cell, sizeof(Pair<T>), offsetof(Pair<T>, index), c};
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
        integer_type<int>("MPI_INT", MPI_INT, "int"),
        {"MPI_DOUBLE", MPI_DOUBLE, floating, Cell::float64, sizeof(double), 0, "double"},
        {"MPI_FLOAT", MPI_FLOAT, floating, Cell::float32, sizeof(float), 0, "float"},
        integer_type<char>("MPI_CHAR", MPI_CHAR, "char", text),
        {"MPI_BYTE", MPI_BYTE, bytes, Cell::uint8, 1, 0, "char"},
        integer_type<long>("MPI_LONG", MPI_LONG, "long"),
        integer_type<signed char>("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, "signed char"),
        integer_type<unsigned char>("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, "unsigned char"),
        integer_type<short>("MPI_SHORT", MPI_SHORT, "short"),
        integer_type<unsigned short>("MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, "unsigned short"),
        integer_type<unsigned>("MPI_UNSIGNED", MPI_UNSIGNED, "unsigned"),
        integer_type<unsigned long>("MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG, "unsigned long"),
        integer_type<long long>("MPI_LONG_LONG", MPI_LONG_LONG, "long long"),
        integer_type<unsigned long long>("MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG,
                                         "unsigned long long"),
        integer_type<std::int8_t>("MPI_INT8_T", MPI_INT8_T, "signed char"),
        integer_type<std::int16_t>("MPI_INT16_T", MPI_INT16_T, "short"),
        integer_type<std::int32_t>("MPI_INT32_T", MPI_INT32_T, "int"),
        integer_type<std::int64_t>("MPI_INT64_T", MPI_INT64_T, "long long"),
        integer_type<std::uint8_t>("MPI_UINT8_T", MPI_UINT8_T, "unsigned char"),
        integer_type<std::uint16_t>("MPI_UINT16_T", MPI_UINT16_T, "unsigned short"),
        integer_type<std::uint32_t>("MPI_UINT32_T", MPI_UINT32_T, "unsigned"),
        integer_type<std::uint64_t>("MPI_UINT64_T", MPI_UINT64_T, "unsigned long long"),
        {"MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, floating, Cell::extended, sizeof(long double), 0,
         "long double"},
        {"MPI_C_BOOL", MPI_C_BOOL, logical, Cell::boolean, 1, 0, "_Bool"},
        {"MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX, complex, Cell::complex64, 8, 0,
         "float _Complex"},
        {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, complex, Cell::complex128, 16, 0,
         "double _Complex"},
        integer_type<wchar_t>("MPI_WCHAR", MPI_WCHAR, "wchar_t", text),
        integer_type<MPI_Aint>("MPI_AINT", MPI_AINT, "MPI_Aint", multi_language),
        integer_type<MPI_Offset>("MPI_OFFSET", MPI_OFFSET, "MPI_Offset", multi_language),
        integer_type<MPI_Count>("MPI_COUNT", MPI_COUNT, "MPI_Count", multi_language),
        pair_type<int>("MPI_2INT", MPI_2INT, Cell::int32, "int"),
        pair_type<float>("MPI_FLOAT_INT", MPI_FLOAT_INT, Cell::float32, "float"),
        pair_type<double>("MPI_DOUBLE_INT", MPI_DOUBLE_INT, Cell::float64, "double"),
        pair_type<long>("MPI_LONG_INT", MPI_LONG_INT, Cell::int64, "long"),
        pair_type<short>("MPI_SHORT_INT", MPI_SHORT_INT, Cell::int16, "short"),
        pair_type<long double>("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, Cell::extended,
                               "long double"),
        {"MPI_INTEGER", MPI_INTEGER, fortran_integer, Cell::int32, 4, 0, "int"},
        {"MPI_REAL", MPI_REAL, floating, Cell::float32, 4, 0, "float"},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, floating, Cell::float64, 8, 0, "double"},
        {"MPI_COMPLEX", MPI_COMPLEX, complex, Cell::complex64, 8, 0, "float _Complex"},
        {"MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX, complex, Cell::complex128, 16, 0,
         "double _Complex"},
        {"MPI_LOGICAL", MPI_LOGICAL, logical, Cell::int32, 4, 0, "int"},
        integer_type<char>("MPI_CHARACTER", MPI_CHARACTER, "char", text),
    };
    return all;
}

std::span<const OperatorRow> operators() {
    using enum Arithmetic;
    static const std::vector<OperatorRow> all{
        {"MPI_SUM", MPI_SUM, sum, "a + b"},
        {"MPI_MAX", MPI_MAX, max, "a > b ? a : b"},
        {"MPI_MIN", MPI_MIN, min, "a < b ? a : b"},
        {"MPI_PROD", MPI_PROD, prod, "a * b"},
        {"MPI_LAND", MPI_LAND, land, "a && b"},
        {"MPI_LOR", MPI_LOR, lor, "a || b"},
        {"MPI_LXOR", MPI_LXOR, lxor, "!a != !b"},
        {"MPI_BAND", MPI_BAND, band, "a & b"},
        {"MPI_BOR", MPI_BOR, bor, "a | b"},
        {"MPI_BXOR", MPI_BXOR, bxor, "a ^ b"},
        {"MPI_MINLOC", MPI_MINLOC, minloc, nullptr},
        {"MPI_MAXLOC", MPI_MAXLOC, maxloc, nullptr},
        {"commutative", MPI_OP_NULL, user_commutative, nullptr},
        {"ordered", MPI_OP_NULL, user_ordered, nullptr}};
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

bool is_timed(const OperatorRow& op, const BasicType& type) {
    const bool is_product = op.arithmetic == Arithmetic::prod;
    return is_defined(op, type) && !(is_product && type.type_class == TypeClass::complex);
}

std::size_t data_bytes(const BasicType& type) {
    if (!type.is_pair()) return type.extent;
    // The padding of MPI_SHORT_INT lies between value and index.
    return (type.cell == Cell::int16 ? sizeof(short) : type.index_offset) + sizeof(int);
}

const BasicType* find_type(std::string_view name) {
    // Fortran's types with a number of bytes, and a second name of MPI_LONG_LONG.
    constexpr std::pair<std::string_view, std::string_view> others[] = {
        {"MPI_LONG_LONG_INT", "MPI_LONG_LONG"},
        {"MPI_INTEGER4", "MPI_INTEGER"},
        {"MPI_2INTEGER", "MPI_2INT"},
        {"MPI_INTEGER1", "MPI_INT8_T"},
        {"MPI_INTEGER2", "MPI_INT16_T"},
        {"MPI_INTEGER8", "MPI_INT64_T"},
        {"MPI_REAL4", "MPI_REAL"},
        {"MPI_REAL8", "MPI_DOUBLE_PRECISION"},
        {"MPI_COMPLEX8", "MPI_COMPLEX"},
        {"MPI_COMPLEX16", "MPI_DOUBLE_COMPLEX"},
        {"MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX"},
        {"MPI_CXX_BOOL", "MPI_C_BOOL"},
        {"MPI_CXX_DOUBLE_COMPLEX", "MPI_C_DOUBLE_COMPLEX"}};
    const auto* const other =
        std::ranges::find(others, name, &std::pair<std::string_view, std::string_view>::first);
    const std::string_view wanted = other == std::end(others) ? name : other->second;
    const auto found = std::ranges::find(basic_types(), wanted, &BasicType::name);
    return found == basic_types().end() || found->type == MPI_DATATYPE_NULL ? nullptr : &*found;
}

const BasicType* find_type(MPI_Datatype type) {
    const auto found = std::ranges::find(basic_types(), type, &BasicType::type);
    return found == basic_types().end() || type == MPI_DATATYPE_NULL ? nullptr : &*found;
}

std::string option_name(std::string_view name) {
    constexpr std::string_view before = "MPI_", behind = "_T";
    if (name.starts_with(before)) name.remove_prefix(before.size());
    if (name.ends_with(behind)) name.remove_suffix(behind.size());
    std::string text(name);
    std::ranges::transform(text, text.begin(), [](unsigned char c) {
        return c == '_' ? '-' : static_cast<char>(std::tolower(c));
    });
    return text;
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

void combine(const std::byte* left, std::byte* right, std::size_t count, const BasicType& type,
             const OperatorRow& op) {
    if (op.is_of_user() || type.is_pair()) {
        for (std::size_t at = 0; at < count * type.extent; at += type.extent)
            combine(left + at, right + at, type, op);
        return;
    }
    with_cell(type.cell, [&]<class T>(T) {
        for (std::size_t at = 0; at < count * type.extent; at += type.extent)
            store(right + at, combined(load<T>(left + at), load<T>(right + at), op.arithmetic));
    });
}

bool is_same(const std::byte* one, const std::byte* other, const BasicType& type) {
    bool same = true;
    for_each_stretch(type, [&](std::size_t offset, std::size_t bytes) {
        same = same && std::memcmp(one + offset, other + offset, bytes) == 0;
    });
    return same;
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

}  // namespace mpiaudit::types
