// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "messages/owned.h"

namespace mpiaudit {

/// A buffer in MPI's terms: what a send reads or a receive writes. Owns the datatype when it was
/// made for this buffer. A buffer that is only sent from may stand for one that is constant.
struct TypedBuffer {
    void* address = nullptr;
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    OwnedDatatype owned_type = {};
};

/// `base` moved by a number of bytes. By integers, because the base may be MPI_BOTTOM, to which
/// C++ would let no offset be added.
inline void* moved_by(const void* base, MPI_Aint bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<MPI_Aint>(base) + bytes);
}

}  // namespace mpiaudit
