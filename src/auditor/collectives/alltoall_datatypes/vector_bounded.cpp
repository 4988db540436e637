// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/alltoall_datatypes/entries.h"
#include "collectives/datatypes/layout.h"

namespace mpiaudit {

int Type_create_vector_bounded(int bound, int blocklength, int stride, MPI_Datatype base,
                               MPI_Datatype* newtype) {
    if (bound < 0 || blocklength < 0 || stride < 1 || stride < blocklength) return MPI_ERR_ARG;
    const MPI_Aint extent = type_extent(base);
    // A vector and one shorter block behind it: section 3.1, alternative c.
    Entries entries;
    entries.add_bounded_vector(bound, blocklength, stride, 0, extent, base);
    return entries.create(newtype);
}

}  // namespace mpiaudit
