// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// What a program in C writes for an element or an operator.
struct InC {
    std::string of_mpi;  ///< of an element with gaps the call that makes its type
    std::string c;       ///< its type, with a first member `value` where it has gaps; of an
                         ///< operator an expression for a and b
};

/// A basic type of MPI that elements are made of.
enum class Basic {
    byte,
    character,
    integer,
    long_integer,
    single_precision,
    double_precision,
    unsigned_character,
    unsigned_short
};

/// The type of one element of a block: the datatype that every call of the audit uses, and how to
/// write and compare its values in memory. Lives between MPI_Init and MPI_Finalize.
class Element {
  public:
    /// Throws std::invalid_argument with the valid names when `name` is not one of names().
    explicit Element(std::string_view name);

    static std::vector<std::string> names();
    /// Whether the elements of that name have gaps in memory.
    static bool has_gaps(std::string_view name);
    /// Throws as the constructor does, but needs no MPI.
    static InC in_c(std::string_view name);

    const std::string& name() const { return name_; }
    MPI_Datatype type() const { return type_; }
    /// Bytes from one element to the next in a buffer.
    std::size_t extent() const { return extent_; }
    /// Bytes of data in one element; less than the extent where the type has gaps.
    std::size_t data_bytes() const { return data_bytes_; }
    /// Values that differ in this many low bits differ in memory.
    int value_bits() const { return value_bits_; }
    /// One basic type without gaps, as the predefined reductions need it.
    bool is_basic() const { return parts_.size() == 1 && extent_ == data_bytes_; }
    Basic basic() const { return parts_.front().basic; }

    /// Writes a value into each of the elements from `at` on; gaps are left alone.
    void store(std::byte* at, std::span<const std::uint64_t> values) const;
    void store(std::byte* at, std::uint64_t value) const { store(at, {&value, 1}); }
    /// The first of the elements from `at` on that does not hold its value, bit for bit;
    /// values.size() when all do.
    std::size_t first_difference(const std::byte* at, std::span<const std::uint64_t> values) const;
    bool holds(const std::byte* at, std::uint64_t value) const {
        return first_difference(at, {&value, 1}) == 1;
    }
    /// The value at `at` in words, for messages.
    std::string describe(const std::byte* at) const;

  private:
    struct Part {
        std::size_t offset;
        Basic basic;
    };
    template <class F>
    void for_each_part(F f) const;

    std::string name_;
    MPI_Datatype type_{};
    OwnedDatatype derived_;
    std::size_t extent_ = 0;
    std::size_t data_bytes_ = 0;
    int value_bits_ = 0;
    std::vector<Part> parts_;
};

}  // namespace mpiaudit
