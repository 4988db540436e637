// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <numeric>
#include <vector>

#include "paths/paths.h"

/// What the compositions have in common.
namespace mpiaudit::paths {

/// The term as the function of MPI whose signature it has: as<MPI_Gatherv>(terms.first)(...).
template <auto& function>
auto* as(Function term) {
    return reinterpret_cast<decltype(&function)>(term);
}

struct Group {
    explicit Group(MPI_Comm comm) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Comm_size(comm, &size);
    }
    int rank = 0, size = 0;
};

/// Counts and displacements of blocks that follow each other.
struct Blocklist {
    explicit Blocklist(std::vector<int> of_ranks)
        : counts(std::move(of_ranks)), displacements(counts.size()) {
        std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
    }
    Blocklist(int count, int ranks)
        : Blocklist(std::vector<int>(static_cast<std::size_t>(ranks), count)) {}
    int sum() const { return displacements.back() + counts.back(); }

    std::vector<int> counts, displacements;
};

/// `elements` in one block for each of `ranks`, the first ones larger by one.
inline Blocklist divided(int elements, int ranks) {
    std::vector<int> counts(static_cast<std::size_t>(ranks), elements / ranks);
    for (int i = 0; i < elements % ranks; ++i) ++counts[static_cast<std::size_t>(i)];
    return Blocklist(std::move(counts));
}

}  // namespace mpiaudit::paths
