// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/arrow.h"

namespace mpiaudit {

using GatherFunction = decltype(MPI_Gather);
using GathervFunction = decltype(MPI_Gatherv);

/// scattered -> rooted by a function with the signature of MPI_Gather; all blocks have the size of
/// rank 0's.
template <GatherFunction* gather>
Step prepare_gather(const Setting& setting, const Place& from, bool padded) {
    const Place to = setting.workspace.target({Holding::rooted, padded});
    const int count = from.counts.front();
    return {[=, type = setting.type(), root = setting.root(), comm = setting.comm] {
                gather(from.data, count, type, to.data, count, type, root, comm);
            },
            to};
}

/// scattered -> rooted by a function with the signature of MPI_Gatherv.
template <GathervFunction* gatherv>
Step prepare_gatherv(const Setting& setting, const Place& from, bool padded) {
    const Place to = setting.workspace.target({Holding::rooted, padded});
    return {[=, type = setting.type(), root = setting.root(), comm = setting.comm] {
                gatherv(from.data, from.counts.front(), type, to.data, to.counts.data(),
                        to.displacements.data(), type, root, comm);
            },
            to};
}

}  // namespace mpiaudit
