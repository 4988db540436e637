// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "collectives/call/blocks.h"
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

/// Equal or unequal blocks of a call as bytes that follow each other in the order of the ranks.
/// Compositions hand only bytes to operations of the library, with one type on all ranks: the ranks
/// of a call may describe their data by different types, and MPI_Allgatherv of Open MPI hangs then
/// (docs/libraries.md), as may any other operation that was not called so.
class BlocksOfBytes {
  public:
    /// \param blocks in the memory of the call \param bytes of each block, in the order of the
    /// ranks
    BlocksOfBytes(const Blocks& blocks, std::vector<int> bytes, MPI_Comm comm)
        : list{std::move(bytes)}, blocks_{blocks}, comm_{comm} {
        bool is_in_order = is_dense(blocks.type());
        for (int i = 0; i < blocks.size() && is_in_order; ++i)
            is_in_order = list.counts[at(i)] == 0 ||
                          blocks.at(i) == displaced(blocks.buffer(), list.displacements[at(i)]);
        is_aside_ = !is_in_order;
        if (is_aside_) aside_ = slots_for(list.sum(), 1);
    }
    static BlocksOfBytes equal(const void* buffer, int count, MPI_Datatype type, MPI_Comm comm) {
        const int ranks = Group(comm).size;
        const auto bytes = static_cast<int>(count * type_bytes(type));
        return {Blocks::equal(buffer, count, type, ranks),
                std::vector<int>(static_cast<std::size_t>(ranks), bytes), comm};
    }

    void* address() const { return is_aside_ ? aside_.get() : blocks_.buffer(); }
    void* block(int rank) const { return displaced(address(), list.displacements[at(rank)]); }
    int bytes(int rank) const { return list.counts[at(rank)]; }
    /// Bytes of all blocks.
    int sum() const { return list.sum(); }

    /// Brings the data of the call here, before a term reads them.
    void read(int rank) const {
        if (is_aside_) pack(blocks_.message(rank), block(rank), bytes(rank), comm_);
    }
    void read_all() const {
        for (int rank = 0; rank < blocks_.size(); ++rank) read(rank);
    }
    /// Brings what a term has written to the memory of the call. \param kept the rank whose block
    /// the call leaves alone; none if it is negative
    void write_all(int kept) const {
        for (int rank = 0; is_aside_ && rank < blocks_.size(); ++rank)
            if (rank != kept) unpack(block(rank), bytes(rank), blocks_.message(rank), comm_);
    }

    Blocklist list;

  private:
    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

    Blocks blocks_;
    MPI_Comm comm_;
    bool is_aside_ = false;
    Scratch aside_;
};

/// The one block of this rank as bytes.
class OwnBytes {
  public:
    OwnBytes(const TypedBuffer& data, MPI_Comm comm)
        : bytes{data.count == 0 ? 0 : static_cast<int>(data.count * type_bytes(data.type))},
          data_{data.address, data.count, data.type},
          comm_{comm},
          is_aside_{data.count > 0 && !is_dense(data.type)} {
        if (is_aside_) aside_ = slots_for(bytes, 1);
    }
    void* address() const { return is_aside_ ? aside_.get() : data_.address; }
    void read() const {
        if (is_aside_) pack(data_, aside_.get(), bytes, comm_);
    }
    void write() const {
        if (is_aside_) unpack(aside_.get(), bytes, data_, comm_);
    }

    int bytes;

  private:
    TypedBuffer data_;
    MPI_Comm comm_;
    bool is_aside_;
    Scratch aside_;
};

}  // namespace mpiaudit::paths
