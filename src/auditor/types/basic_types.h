// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// The predefined types and operators of MPI: one table for generated calls, for the data of timed
/// audits, and for recorded applications.
namespace mpiaudit::types {

/// How the bytes of a number are read. The order is the order of `Number` in numbers.h.
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
    const char* c;             ///< the C type of an element; of a pair the C type of its value

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

/// Returns the type of this name in the standard, which other names of some types stand for:
/// MPI_REAL8 is MPI_DOUBLE_PRECISION. Null if there is none, or if this library lacks the type.
const BasicType* find_type(std::string_view name);
/// Returns the type of a handle; null for derived types.
const BasicType* find_type(MPI_Datatype type);

/// Returns the name without MPI_ and _T, in small letters with hyphens, as options have it:
/// unsigned-char of MPI_UNSIGNED_CHAR, sum of MPI_SUM.
std::string option_name(std::string_view name);

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
    user_ordered       ///< composition of maps x -> a x + b modulo 16 (`composed`)
};

struct OperatorRow {
    std::string_view name;
    MPI_Op op;  ///< MPI_OP_NULL for user functions
    Arithmetic arithmetic;
    /// The result as a C expression in a and b; null if there is none of this kind.
    const char* c;

    bool is_of_user() const { return arithmetic >= Arithmetic::user_commutative; }
};

std::span<const OperatorRow> operators();

/// Whether MPI defines the operator for the type.
bool is_defined(const OperatorRow& op, const BasicType& type);

/// Whether the data of timed audits suit the operator and the type: all for which MPI defines the
/// operator, but products of complex numbers, whose imaginary parts are twice the real ones.
bool is_timed(const OperatorRow& op, const BasicType& type);

/// Returns the bytes of data of an element, without gaps.
std::size_t data_bytes(const BasicType& type);

/// right := left op right, computed without the MPI library.
void combine(const std::byte* left, std::byte* right, const BasicType& type, const OperatorRow& op);
/// The same for `count` elements one behind the other.
void combine(const std::byte* left, std::byte* right, std::size_t count, const BasicType& type,
             const OperatorRow& op);

/// Whether two elements have the same bytes of data.
bool is_same(const std::byte* one, const std::byte* other, const BasicType& type);

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

}  // namespace mpiaudit::types
