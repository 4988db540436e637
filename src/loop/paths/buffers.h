// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"
#include "paths/paths.h"

namespace mpiaudit::paths {

/// The sizes of the blocks of all ranks, which follow each other in the order of the ranks.
struct BlockList {
    explicit BlockList(std::vector<int> of_ranks)
        : counts(std::move(of_ranks)), displacements(counts.size()) {
        std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
    }
    BlockList(int count, int ranks)
        : BlockList(std::vector<int>(static_cast<std::size_t>(ranks), count)) {}
    /// Cuts `elements` into one block for each rank; the first blocks are larger by one element.
    static BlockList cut(int elements, int ranks) {
        BlockList blocks(elements / ranks, ranks);
        for (int i = 0; i < elements % ranks; ++i) ++blocks.counts[static_cast<std::size_t>(i)];
        return BlockList(std::move(blocks.counts));
    }

    int count(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
    int begin(int rank) const { return displacements[static_cast<std::size_t>(rank)]; }
    int sum() const { return displacements.back() + counts.back(); }

    std::vector<int> counts, displacements;
};

/// The blocks of a call as bytes that follow each other in the order of the ranks. Compositions
/// pass only MPI_BYTE to operations of the library, because the ranks of a call may use different
/// types: MPI_Allgatherv of Open MPI hangs with different types (docs/libraries.md), and other
/// operations may hang too.
class BlocksOfBytes {
  public:
    /// Uses the memory of the call if its bytes already lie in this order. Else, and always if
    /// `is_padded`, uses memory of its own.
    /// \param blocks in the memory of the call; none on ranks that have none
    /// \param sizes in bytes; at least the bytes of the blocks
    /// \param is_padded true if blocks may be shorter than their sizes
    /// \param is_needed true if ranks without blocks need memory for the blocks
    BlocksOfBytes(const Blocks& blocks, BlockList sizes, MPI_Comm comm, bool is_padded = false,
                  bool is_needed = false);
    /// Equal blocks of `count` elements.
    static BlocksOfBytes equal(const void* buffer, int count, MPI_Datatype type, MPI_Comm comm);

    void* address() const { return is_aside_ ? aside_.get() : blocks_.buffer(); }
    void* block(int rank) const { return displaced(address(), sizes.begin(rank)); }
    /// Copies a block of the call to block(rank), before an operation reads that block.
    void read(int rank) const;
    void read_all() const;
    /// Copies the blocks that an operation has written back to the memory of the call, except block
    /// `kept`. A negative `kept` excepts none.
    void write_all(int kept) const;

    BlockList sizes;

  private:
    Blocks blocks_;
    MPI_Comm comm_;
    bool is_aside_;  ///< the bytes lie in memory of their own
    Scratch aside_;
};

/// The block of this rank as bytes.
class OwnBytes {
  public:
    /// \param room the later value of `bytes`
    OwnBytes(const TypedBuffer& data, int room, MPI_Comm comm, bool is_padded = false);
    explicit OwnBytes(const TypedBuffer& data, MPI_Comm comm);

    void* address() const { return is_aside_ ? aside_.get() : data_.address; }
    /// Copies the data of the call to address().
    void read() const;
    /// Copies the bytes at `from` to the memory of the call.
    void write(const void* from) const;

    int bytes;  ///< bytes of the block, or of the slot for a padded block

  private:
    TypedBuffer data_;
    MPI_Comm comm_;
    bool is_aside_;  ///< the bytes lie in memory of their own
    Scratch aside_;
};

/// The arguments of the operations of a path on this rank. Counts are elements of `type`.
struct Buffers {
    Buffers(BlockList all_blocks, MPI_Comm communicator, int root_rank = 0)
        : blocks{std::move(all_blocks)}, comm{communicator}, root{root_rank} {
        PMPI_Comm_rank(comm, &rank);
    }

    BlockList blocks;
    MPI_Comm comm;
    int rank = 0, root;
    MPI_Datatype type = MPI_BYTE;
    MPI_Op op = MPI_OP_NULL;
    void* all = nullptr;             ///< the blocks of all ranks
    void* own = nullptr;             ///< the block of this rank
    const void* operands = nullptr;  ///< the vector that this rank contributes to a reduction
    bool is_own_among_all = false;   ///< `own` lies at its place in `all`
    bool are_all_in_place = false;   ///< on every rank, its own block lies in its `all`
    /// The own block is copied here after an operation has written it to `own`; null for no copy.
    void* place_of_own = nullptr;

    /// The place of this rank's block in `all`.
    void* block() const { return displaced(all, blocks.begin(rank) * type_extent(type)); }
};

/// Copies the bytes from the first to the last byte of `count` elements, with the gaps between the
/// elements. The buffers must not overlap.
void copy_elements(void* to, const void* from, int count, MPI_Datatype type);

/// Calls the operations of the path one after the other and stops at the first error. Returns its
/// code, or MPI_SUCCESS. After an operation that writes `own`, copies `own` to `place_of_own`.
int call_operations(const Path& path, const Buffers& buffers);

}  // namespace mpiaudit::paths
