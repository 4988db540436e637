// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <utility>

#include "messages/owned.h"

namespace mpiaudit {

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
