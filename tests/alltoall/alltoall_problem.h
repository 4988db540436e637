// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "type_maps.h"

namespace mpiaudit {

using Alltoall = decltype(&MPI_Alltoall);
using Alltoallv = decltype(&MPI_Alltoallv);

struct NamedAlltoall {
    std::string name;
    Alltoall run;
};

struct NamedAlltoallv {
    std::string name;
    Alltoallv run;
};

/// All regular and all irregular algorithms; the persistent ones used twice between init and free.
const std::vector<NamedAlltoall>& alltoall_algorithms();
const std::vector<NamedAlltoallv>& alltoallv_algorithms();

/// Runs one problem on `comm` and expects the right contents, everything else untouched, and
/// nothing leaked. `count` counts the blocks of `types` per rank.
void check_alltoall(const NamedAlltoall& algorithm, const TypePair& types, int count,
                    bool is_in_place, MPI_Comm comm);

/// How many blocks of the type pair `source` sends to `destination` of `ranks` ranks.
using Distribution = int (*)(int source, int destination, int ranks);

struct NamedDistribution {
    std::string name;
    Distribution count;
    bool is_symmetric;  ///< count(i, j) = count(j, i), as MPI_IN_PLACE needs
};

const std::vector<NamedDistribution>& distributions();

/// The same for irregular blocks, which lie in falling order of the ranks and with gaps.
void check_alltoallv(const NamedAlltoallv& algorithm, const TypePair& types,
                     const NamedDistribution& distribution, bool is_in_place, MPI_Comm comm);

}  // namespace mpiaudit
