// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "messages/owned.h"

namespace mpiaudit {

/// Arguments for MPI_Pack and MPI_Unpack that every library accepts: MPICH refuses a null pointer,
/// although its MPI_BOTTOM is one. Such data get a datatype that begins with their first byte.
struct Packable {
    Packable(const void* address, int elements, MPI_Datatype element)
        : data{const_cast<void*>(address)}, count{elements}, type{element} {
        if (data == nullptr && count > 0) [[unlikely]]
            begin_with_first_byte();
    }

    void* data;
    int count;
    MPI_Datatype type;

  private:
    void begin_with_first_byte() {
        MPI_Aint first = 0, bytes = 0;
        MPI_Type_get_true_extent(type, &first, &bytes);
        if (bytes == 0) {  // elements without data
            count = 0;
            return;
        }
        const MPI_Aint back = -first;
        MPI_Datatype moved = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(1, &count, &back, type, &moved);
        MPI_Type_commit(&moved);
        own_ = OwnedDatatype(moved);
        data = reinterpret_cast<void*>(first);
        count = 1;
        type = moved;
    }

    OwnedDatatype own_;
};

}  // namespace mpiaudit
