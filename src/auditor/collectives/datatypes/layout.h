// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// `base` + `bytes`. With integers, because `base` may be MPI_BOTTOM, and because the origin of a
/// datatype with a lower bound may lie outside the memory that it describes: C++ lets nothing be
/// added to such pointers.
inline void* displaced(void* base, MPI_Aint bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(base) + bytes);
}

inline const void* displaced(const void* base, MPI_Aint bytes) {
    return displaced(const_cast<void*>(base), bytes);
}

/// The displacement that leads from MPI_BOTTOM to `address`.
inline MPI_Aint absolute_displacement(const void* address) {
    MPI_Aint displacement = 0;
    MPI_Get_address(address, &displacement);
    return displacement;
}

/// A buffer in MPI's terms: what a send reads or a receive writes. Owns the datatype when it was
/// made for this buffer. A buffer that is only sent from may be constant.
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

/// Bytes from one element of the datatype to the next in a buffer; may be negative.
MPI_Aint type_extent(MPI_Datatype type);

/// The bytes begin, ..., end - 1 of a buffer, counted from its address; both may be negative.
struct ByteRange {
    MPI_Aint bytes() const { return end - begin; }

    MPI_Aint begin = 0;
    MPI_Aint end = 0;
};

/// From the first to the last byte of data of `count` elements; empty without data.
ByteRange data_range(std::int64_t count, MPI_Datatype type);

/// The same with the gaps before and after the data that count as parts of the elements: an
/// operator of the caller may assign whole structs.
ByteRange element_range(std::int64_t count, MPI_Datatype type);

/// Whether the data_range() of any number of elements holds nothing but data, in whatever order:
/// memcpy of it copies between two buffers of this *one* type. Take a type to receive with: its
/// entries do not overlap, so that equal sizes exclude gaps.
bool is_gapless(MPI_Datatype type);

/// Whether an array of the type is its data in the order of the type map without gaps, from its
/// address on: memcpy from there copies between buffers of *different* such types. True of
/// predefined types without gaps, and of contiguous types and duplicates of dense ones; others that
/// happen to be dense are not recognized. A dense type is gapless, but a gapless one need not be
/// dense: it may take its data in another order than that of the addresses, or from elsewhere.
bool is_dense(MPI_Datatype type);

/// How a rank describes data of other ranks that pass through it, packed without gaps: as elements
/// of its own type where that is a basic one, else as MPI_PACKED, which may be received from and
/// sent to any type.
class IntermediateType {
  public:
    explicit IntermediateType(MPI_Datatype user_type);
    /// The bytes [address, address + bytes) as a buffer; of MPI_PACKED where the own type, which is
    /// an unrelated one on a rank without data, does not divide them. Amounts beyond 2^31 - 1
    /// elements become one element of a datatype that is as long.
    TypedBuffer buffer(void* address, std::int64_t bytes) const;

  private:
    MPI_Datatype element_ = MPI_PACKED;
    std::int64_t element_bytes_ = 1;
};

/// How a datatype was made. MPI_Type_get_contents hands out new references to the derived datatypes
/// from which it was; they are freed here.
struct TypeContents {
    explicit TypeContents(MPI_Datatype type);
    TypeContents(const TypeContents&) = delete;
    TypeContents& operator=(const TypeContents&) = delete;
    ~TypeContents();

    /// Also of unnamed types (Fortran's by precision and range), which have no contents and no end.
    bool is_predefined() const;

    int combiner = 0;
    std::vector<int> integers;        ///< that its constructor got
    std::vector<MPI_Datatype> types;  ///< from which it was made; none if it is predefined
};

}  // namespace mpiaudit
