// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/alltoall_datatypes/entries.h"
#include "collectives/datatypes/layout.h"

namespace mpiaudit {

int Type_create_vector_circular(int total, int start, int bound, int blocklength, int stride,
                                MPI_Datatype base, MPI_Datatype* newtype) {
    if (bound < 0 || blocklength < 0 || stride < 1 || stride < blocklength) return MPI_ERR_ARG;
    if (bound > total || start < 0 || (start >= total && start > 0)) return MPI_ERR_ARG;
    const MPI_Aint extent = type_extent(base);

    const int before_wrap = std::min(bound, total - start);
    const int after_wrap = bound - before_wrap;
    Entries entries;
    entries.add_bounded_vector(before_wrap, blocklength, stride, start * extent, extent, base);
    // The wrap meets the stride in the middle of a block, whose rest then stands at the start of
    // the ring, or in the gap behind it, of which a part remains.
    const int phase = before_wrap % stride;
    const int rest_of_block = std::min(std::max(blocklength - phase, 0), after_wrap);
    const int to_next_block = std::min(stride - phase, after_wrap);
    if (phase > 0) entries.add(rest_of_block, 0, base);
    const int resumed_at = phase > 0 ? to_next_block : 0;
    entries.add_bounded_vector(after_wrap - resumed_at, blocklength, stride, resumed_at * extent,
                               extent, base);
    return entries.create(newtype);
}

}  // namespace mpiaudit
