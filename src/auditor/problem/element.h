// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/owned.h"
#include "types/basic_types.h"

namespace mpiaudit {

/// C source text for an element or an operator.
struct InC {
    std::string of_mpi;  ///< handle such as MPI_INT; for an element with gaps the call that creates
                         ///< its datatype
    std::string c;       ///< C type of an element, a struct whose first member is `value` if it has
                         ///< gaps; or the result of an operator as an expression in a and b
};

/// The type of one element of a block: the MPI datatype of every call of the audit, and functions
/// that write and compare values in memory. May exist only between MPI_Init and MPI_Finalize.
class Element {
  public:
    /// Throws std::invalid_argument with the valid names when `name` is not one of names().
    explicit Element(std::string_view name);

    /// Returns the names of the predefined types of this library (types::option_name) and of types
    /// with gaps.
    static std::vector<std::string> names();
    /// Returns whether the elements of this name have gaps in memory.
    static bool has_gaps(std::string_view name);
    /// Returns MPI's name of a predefined type, or of an operator; else the name itself.
    static std::string name_in_mpi(const std::string& name);
    /// Returns the C text of an element. Throws as the constructor does, and for pairs of a value
    /// and an index; needs no MPI.
    static InC in_c(std::string_view name);

    const std::string& name() const { return name_; }
    MPI_Datatype type() const { return type_; }
    /// Bytes from one element to the next in a buffer.
    std::size_t extent() const { return extent_; }
    /// Bytes of data in one element; less than the extent if the type has gaps.
    std::size_t data_bytes() const { return data_bytes_; }
    /// A stretch of data without gaps in an element.
    struct Stretch {
        std::size_t offset, bytes;
    };
    /// Returns the stretches of data in an element, in the order of the type map.
    std::vector<Stretch> stretches() const;
    /// Number of low bits of a value that are stored: values that differ in these bits differ in
    /// memory.
    int value_bits() const { return value_bits_; }
    /// Returns whether the element is one number without gaps.
    bool is_basic() const { return parts_.size() == 1 && extent_ == data_bytes_; }
    /// Returns the predefined type, as predefined operators need; null for derived types.
    const types::BasicType* basic() const { return basic_; }
    /// Returns whether sums of the tests' values have to stay small, since an overflow of this type
    /// is undefined.
    bool is_small_and_signed() const;

    /// Writes one value into each consecutive element from `at` on; leaves gaps alone.
    void store(std::byte* at, std::span<const std::uint64_t> values) const;
    void store(std::byte* at, std::uint64_t value) const { store(at, {&value, 1}); }
    /// Returns the index of the first element from `at` on that differs from its value in any bit,
    /// or values.size() if none does.
    std::size_t first_difference(const std::byte* at, std::span<const std::uint64_t> values) const;
    /// Returns the index of the first of `count` elements that differ in their data, or `count`.
    std::size_t first_difference(const std::byte* one, const std::byte* other,
                                 std::size_t count) const;
    bool holds(const std::byte* at, std::uint64_t value) const {
        return first_difference(at, {&value, 1}) == 1;
    }
    /// Returns the element at `at` as text for messages.
    std::string describe(const std::byte* at) const;

  private:
    /// How the number of a part follows from the value of its element.
    enum class From {
        value,    ///< the value
        mixed,    ///< another number for each part, so that exchanged parts are found
        doubled,  ///< twice the value: the imaginary part, which sums like the real part
        index,    ///< the upper half of the value: the index of a pair
    };
    struct Part {
        std::size_t offset;
        types::Cell cell;
        From from = From::value;
        int bits = 64;  ///< low bits of the number that are stored
    };
    void add_parts(const types::BasicType& type);
    static std::size_t data_bytes_of(const Part& part);
    template <class F>
    void for_each_part(F f) const;

    std::string name_;
    const types::BasicType* basic_ = nullptr;
    MPI_Datatype type_{};
    OwnedDatatype derived_;
    std::size_t extent_ = 0;
    std::size_t data_bytes_ = 0;
    int value_bits_ = 0;
    std::vector<Part> parts_;
};

}  // namespace mpiaudit
