// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// Returns `base` + `bytes`. Computes with integers, because `base` may be MPI_BOTTOM, and because
/// the origin of a datatype with a lower bound may lie outside its memory: C++ forbids arithmetic
/// with such pointers.
inline void* displaced(void* base, MPI_Aint bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(base) + bytes);
}

inline const void* displaced(const void* base, MPI_Aint bytes) {
    return displaced(const_cast<void*>(base), bytes);
}

/// Returns the displacement of `address` relative to MPI_BOTTOM.
inline MPI_Aint absolute_displacement(const void* address) {
    MPI_Aint displacement = 0;
    MPI_Get_address(address, &displacement);
    return displacement;
}

/// The buffer arguments of an MPI call: address, count, datatype. Owns the datatype if it was made
/// for this buffer. The buffer may be constant if it is only sent.
struct TypedBuffer {
    TypedBuffer() = default;
    TypedBuffer(const void* start, int elements, MPI_Datatype element, OwnedDatatype owned = {})
        : address{const_cast<void*>(start)},
          count{elements},
          type{element},
          owned_type{std::move(owned)} {}

    void* address = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    OwnedDatatype owned_type;
};

/// Returns the extent of the datatype in bytes; may be negative.
MPI_Aint type_extent(MPI_Datatype type);

/// The bytes begin, ..., end - 1 of a buffer, counted from its address; both may be negative.
struct ByteRange {
    MPI_Aint bytes() const { return end - begin; }

    MPI_Aint begin = 0;
    MPI_Aint end = 0;
};

/// Returns the range from the first to the last byte of data of `count` elements; empty without
/// data.
ByteRange data_range(std::int64_t count, MPI_Datatype type);

/// Like data_range(), but includes gaps at the ends of elements (lower bound and extent): a user's
/// operator may assign whole structs.
ByteRange element_range(std::int64_t count, MPI_Datatype type);

/// Returns true if data_range() contains data only, in any order, so that memcpy of the range
/// copies between two buffers of this *one* type. The type must be valid for receiving, so that its
/// entries do not overlap.
bool is_gapless(MPI_Datatype type);

/// Returns true if an array of the type is its data in the order of the type map without gaps, from
/// its address on: memcpy copies between buffers of *different* dense types. Recognised
/// structurally: predefined types without gaps, and contiguous types and duplicates of dense types;
/// other types return false. A gapless type need not be dense: its data may be in another order or
/// at an offset.
bool is_dense(MPI_Datatype type);

/// Gives a datatype to packed data of other ranks, which this rank only passes on: this rank's own
/// datatype if it is predefined and has no gaps, else MPI_PACKED, which may be received from and
/// sent to any type.
class IntermediateType {
  public:
    explicit IntermediateType(MPI_Datatype user_type);
    /// Returns the bytes [address, address + bytes) as a buffer. Uses MPI_PACKED if `bytes` is no
    /// multiple of the size of this rank's type (a rank without data may pass an unrelated type).
    /// More than INT_MAX elements become one element of a longer datatype.
    TypedBuffer buffer(void* address, std::int64_t bytes) const;

  private:
    MPI_Datatype element_ = MPI_PACKED;
    std::int64_t element_bytes_ = 1;
};

/// The combiner and arguments that made a datatype, from MPI_Type_get_contents. The destructor
/// frees the references to derived datatypes that the call returns.
struct TypeContents {
    explicit TypeContents(MPI_Datatype type);
    TypeContents(const TypeContents&) = delete;
    TypeContents& operator=(const TypeContents&) = delete;
    ~TypeContents();

    /// Returns true also for unnamed predefined types (Fortran's by precision and range), which
    /// have no contents.
    bool is_predefined() const;

    int combiner = 0;
    std::vector<int> integers;        ///< integer arguments of its constructor
    std::vector<MPI_Aint> addresses;  ///< byte arguments of its constructor
    std::vector<MPI_Datatype> types;  ///< datatype arguments of its constructor; none if predefined
};

}  // namespace mpiaudit
