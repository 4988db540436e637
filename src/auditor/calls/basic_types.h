// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "calls/properties.h"

namespace mpiaudit::calls {

/// How the bytes of a number are read. The order is the order of `Number` in basic_types.cpp.
enum class Cell {
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64,
    extended,  ///< long double
    boolean,   ///< one byte that is 0 or 1
    complex64,
    complex128
};

/// The groups of types for which MPI defines its operators (MPI 4.1, section 6.9.2).
enum class TypeClass {
    c_integer,
    fortran_integer,
    floating,
    logical,
    complex,
    bytes,
    multi_language,
    pair,
    text
};

struct BasicType {
    std::string_view name;  ///< as in the standard
    MPI_Datatype type;
    TypeClass type_class;
    Cell cell;
    std::size_t extent;        ///< bytes
    std::size_t index_offset;  ///< bytes from the value of a pair to its index; 0 for no pair

    bool is_pair() const { return type_class == TypeClass::pair; }
    bool is_floating() const {
        return type_class == TypeClass::floating || type_class == TypeClass::complex;
    }
    bool is_unsigned() const {
        return cell == Cell::uint8 || cell == Cell::uint16 || cell == Cell::uint32 ||
               cell == Cell::uint64;
    }
};

/// Bytes; no predefined type has a larger extent.
inline constexpr std::size_t largest_extent = 32;

/// Returns the predefined types, most common first. A type that this library lacks has
/// MPI_DATATYPE_NULL. Needs no MPI_Init.
std::span<const BasicType> basic_types();

/// The function that an operator computes.
enum class Arithmetic {
    sum,
    max,
    min,
    prod,
    land,
    lor,
    lxor,
    band,
    bor,
    bxor,
    minloc,
    maxloc,
    user_commutative,  ///< a user function: exclusive or of all bytes of data
    user_ordered       ///< a user function that does not commute: the left operand
};

struct OperatorRow {
    std::string_view name;
    MPI_Op op;  ///< MPI_OP_NULL for user functions
    Arithmetic arithmetic;

    bool is_of_user() const { return arithmetic >= Arithmetic::user_commutative; }
};

std::span<const OperatorRow> operators();

/// Whether MPI defines the operator for the type.
bool is_defined(const OperatorRow& op, const BasicType& type);

/// Identifies one element of the contents of a call.
struct ElementKey {
    std::uint64_t seed;
    int actor;  ///< the rank that has written the element
    int block;  ///< number of the block in the send buffer of this rank
    std::int64_t element;
};

/// Writes the element that the key stands for. The bytes of data alone are written, no padding.
/// \param op null for an operation that moves data only
void write_element(std::byte* at, const BasicType& type, const ElementKey& key, Contents contents,
                   const OperatorRow* op, int actors);

/// right := left op right, computed without the MPI library.
void combine(const std::byte* left, std::byte* right, const BasicType& type, const OperatorRow& op);

/// Whether two elements have the same bytes of data.
bool is_same(const std::byte* one, const std::byte* other, const BasicType& type);

/// Whether a sum may be the rounded one: it differs from `expected` by at most `slack` times the
/// sum of the absolute values.
bool is_near(const std::byte* got, const std::byte* expected, const BasicType& type,
             double sum_of_magnitudes, int actors);
double magnitude(const std::byte* at, const BasicType& type);

/// Calls f(offset, bytes) for each stretch of data in an element, without padding.
template <class F>
void for_each_stretch(const BasicType& type, F f) {
    const std::size_t value_bytes = type.cell == Cell::extended ? 10
                                    : type.is_pair()            ? type.index_offset
                                                                : type.extent;
    // The padding of MPI_SHORT_INT lies between value and index.
    f(std::size_t{0}, type.is_pair() && type.cell == Cell::int16 ? sizeof(short) : value_bytes);
    if (type.is_pair()) f(type.index_offset, sizeof(int));
}

/// Returns the element as text, for findings.
std::string text_of(const std::byte* at, const BasicType& type);

}  // namespace mpiaudit::calls
