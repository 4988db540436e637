// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/datatypes/layout.h"

namespace mpiaudit {

int Type_create_bucket(int count, const int counts[], int bucket_size, MPI_Datatype base,
                       MPI_Datatype* newtype) {
    if (count < 0) return MPI_ERR_ARG;
    const bool fits = std::all_of(counts, counts + count,
                                  [=](int filled) { return filled >= 0 && filled <= bucket_size; });
    if (!fits) return MPI_ERR_ARG;
    const MPI_Aint extent = type_extent(base);
    // In bytes: an int may not hold the displacement of the last bucket in elements.
    std::vector<MPI_Aint> displacements(count);
    for (int i = 0; i < count; ++i) displacements[i] = MPI_Aint{i} * bucket_size * extent;
    return MPI_Type_create_hindexed(count, counts, displacements.data(), base, newtype);
}

}  // namespace mpiaudit
