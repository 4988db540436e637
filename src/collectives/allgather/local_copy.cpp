// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/local_copy.h"

#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Nothing but data from the first to the last byte of consecutive elements. As `type` is one to
/// receive with, its entries do not overlap, so that equal sizes exclude gaps.
bool is_dense(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Count bound = 0;
    MPI_Count extent = 0;
    MPI_Count true_extent = 0;
    MPI_Type_size_x(type, &size);
    MPI_Type_get_extent_x(type, &bound, &extent);
    MPI_Type_get_true_extent_x(type, &bound, &true_extent);
    return size == extent && size == true_extent;
}

}  // namespace

void local_copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                MPI_Datatype to_type, const Processes& processes) {
    if (from_type == to_type && is_dense(to_type)) {
        MPI_Aint true_bound = 0;
        MPI_Aint true_extent = 0;
        MPI_Type_get_true_extent(to_type, &true_bound, &true_extent);
        if (from_count > 0 && true_extent > 0)
            messages::copy(
                displaced(to, true_bound), displaced(from, true_bound),
                static_cast<std::size_t>(true_extent) * static_cast<unsigned>(from_count));
        return;
    }
    const int self = processes.process(processes.rank);
    messages::exchange(from, from_count, from_type, self, message_tag, to, to_count, to_type, self,
                       message_tag, processes.comm);
}

}  // namespace mpiaudit
