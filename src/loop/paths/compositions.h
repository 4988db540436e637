// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "collectives/datatypes/layout.h"
#include "messages/packable.h"
#include "messages/scratch.h"
#include "paths/paths.h"

/// Collectives made of others: each with the signature of the collective after its terms. All
/// return the first code that is none of success.
namespace mpiaudit::paths {

Composed<PMPI_Gather> gather_by_gatherv;
Composed<PMPI_Gather> gather_by_allgather;
Composed<PMPI_Gatherv> gatherv_padded;
Composed<PMPI_Scatter> scatter_by_scatterv;
Composed<PMPI_Scatter> scatter_by_bcast;
Composed<PMPI_Scatterv> scatterv_padded;
Composed<PMPI_Allgather> allgather_by_allgatherv;
Composed<PMPI_Allgather> allgather_by_gather_bcast;
Composed<PMPI_Allgatherv> allgatherv_by_gatherv_bcast;
Composed<PMPI_Allgatherv> allgatherv_padded;
Composed<PMPI_Alltoall> alltoall_by_alltoallv;
Composed<PMPI_Barrier> barrier_by_allreduce;
Composed<PMPI_Bcast> bcast_by_scatterv_allgatherv;
Composed<PMPI_Allreduce> allreduce_by_reduce_bcast;
Composed<PMPI_Allreduce> allreduce_by_reduce_scatter_allgatherv;
Composed<PMPI_Reduce> reduce_by_allreduce;
Composed<PMPI_Reduce_scatter> reduce_scatter_by_reduce_scatterv;
Composed<PMPI_Reduce_scatter> reduce_scatter_by_allreduce;
Composed<PMPI_Reduce_scatter_block> reduce_scatter_block_by_reduce_scatter;
Composed<PMPI_Reduce_scatter_block> reduce_scatter_block_by_reduce_then_scatter;
Composed<PMPI_Scan> scan_by_exscan;

// What the compositions have in common.

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

/// Beyond that nothing is padded.
inline constexpr std::int64_t most_padded_bytes = 1 << 30;

inline Scratch slots_for(std::int64_t bytes, int ranks) {
    // No address of nothing: some libraries look at it.
    return Scratch(static_cast<std::size_t>(std::max<std::int64_t>(1, bytes * ranks)));
}

inline std::byte* slot(const Scratch& slots, int bytes, int rank) {
    return slots.get() + std::int64_t{bytes} * rank;
}

inline void pack(const TypedBuffer& data, void* into, int bytes, MPI_Comm comm) {
    int position = 0;
    const Packable packed(data.address, data.count, data.type);
    if (data.count > 0)
        PMPI_Pack(packed.data, packed.count, packed.type, into, bytes, &position, comm);
}

inline void unpack(const void* from, int bytes, const TypedBuffer& data, MPI_Comm comm) {
    int position = 0;
    const Packable unpacked(data.address, data.count, data.type);
    if (data.count > 0)
        PMPI_Unpack(from, bytes, &position, unpacked.data, unpacked.count, unpacked.type, comm);
}

}  // namespace mpiaudit::paths
