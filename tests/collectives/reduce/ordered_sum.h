// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "messages/owned.h"

namespace mpiaudit::test {

/// The sum of ints, said not to commute, so that algorithms must respect the order.
inline OwnedOp sum_that_does_not_commute() {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(
        [](void* in, void* inout, int* count, MPI_Datatype*) {
            for (int i = 0; i < *count; ++i)
                static_cast<int*>(inout)[i] += static_cast<const int*>(in)[i];
        },
        0, &op);
    return OwnedOp{op};
}

}  // namespace mpiaudit::test
