// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>

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

}  // namespace mpiaudit
