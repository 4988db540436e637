// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "gather_cases.h"

namespace mpiaudit {

/// A limit in bytes to be known to an algorithm beforehand.
template <std::int64_t bytes>
inline constexpr std::int64_t limit = bytes;

using GatherFunction = decltype(MPI_Gather);
using GathervFunction = decltype(MPI_Gatherv);

struct NamedGatherv {
    std::string name;
    GathervFunction* gatherv;
};

/// Runs one gather and checks, on every rank: what the root has received, that nothing between the
/// blocks and nothing of what is sent has changed, that nothing of MPI's is left behind. Arguments
/// that mean nothing on a rank are ones that must not be touched.
void check_gather(const GatherCase& gather_case, const NamedGatherv& named, MPI_Comm comm);

/// How many messages all ranks send when each of them has so many items.
long messages_of_all_ranks(const NamedGatherv& named, int items);

/// A function with the signature of MPI_Gather in the clothes of MPI_Gatherv, for equal blocks that
/// follow each other.
template <GatherFunction* gather>
int regular(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            const int recvcounts[], const int[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const int recvcount = recvcounts ? recvcounts[0] : -1;
    return gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

}  // namespace mpiaudit
