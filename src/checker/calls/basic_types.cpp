// SPDX-License-Identifier: BSD-3-Clause
#include "calls/basic_types.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "random/random_bits.h"
#include "types/numbers.h"

namespace mpiaudit::calls {
namespace {

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

}  // namespace

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
            }
            if (a == b) return true;
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

}  // namespace mpiaudit::calls
