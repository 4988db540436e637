// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The numbers of types::Cell in memory.
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

#include "types/basic_types.h"

namespace mpiaudit::types {

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

/// Returns the bytes of data of a number: 10 of a long double.
template <class T>
constexpr std::size_t data_bytes(T) {
    return std::is_same_v<T, long double> ? 10 : sizeof(T);
}

template <class T>
T load(const std::byte* at) {
    T value{};
    std::memcpy(&value, at, data_bytes(value));
    return value;
}

template <class T>
void store(std::byte* at, T value) {
    std::memcpy(at, &value, data_bytes(value));
}

}  // namespace mpiaudit::types
