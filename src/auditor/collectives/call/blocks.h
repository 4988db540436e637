// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// Where in a buffer the blocks of a call's ranks lie. Only views: the buffer and the arrays must
/// outlive it. The buffer may be MPI_BOTTOM, or constant where blocks are only sent.
class Blocks {
  public:
    Blocks() = default;
    /// `blocks` consecutive blocks of `count` elements each.
    static Blocks equal(const void* buffer, int count, MPI_Datatype type, int blocks);
    /// `count` elements cut into `blocks` consecutive blocks, the first ones larger by one element
    /// where the division leaves a remainder.
    static Blocks split(const void* buffer, int count, MPI_Datatype type, int blocks);
    static Blocks split(const TypedBuffer& vector, int blocks) {
        return split(vector.address, vector.count, vector.type, blocks);
    }
    /// Consecutive blocks that begin with elements begins[0], begins[1], ...; the last of these is
    /// where the last block ends. No block has more elements than an int counts, all of them may.
    static Blocks consecutive(const void* buffer, std::span<const std::int64_t> begins,
                              MPI_Datatype type);
    /// Blocks anywhere, in MPI's notation.
    static Blocks irregular(const void* buffer, const int counts[], const int displacements[],
                            MPI_Datatype type, int blocks);
    /// Blocks anywhere and of any types, in the notation of MPI_Alltoallw: displacements count
    /// bytes, and no message is of several blocks.
    static Blocks of_types(const void* buffer, const int counts[], const int displacements[],
                           const MPI_Datatype types[], int blocks);
    /// The same blocks in another buffer.
    Blocks with_buffer(const void* buffer) const;

    void* buffer() const { return buffer_; }
    MPI_Datatype type() const { return type_; }
    /// Of one block; that of a block without elements means nothing.
    MPI_Datatype type(int block) const {
        return types_ && count(block) > 0 ? types_[block] : type_;
    }
    int size() const { return blocks_; }
    int count(int block) const {
        if (counts_) return counts_[block];
        return begins_ ? static_cast<int>(begins_[block + 1] - begins_[block])
                       : quotient_ + (block < remainder_);
    }
    /// The element of the buffer with which a block begins; of consecutive blocks also that with
    /// which the last one ends, as if one more began there.
    std::int64_t begin(int block) const {
        if (displacements_) return displacements_[block];
        return begins_ ? begins_[block]
                       : std::int64_t{block} * quotient_ + std::min(block, remainder_);
    }
    void* at(int block) const { return displaced(buffer_, begin(block) * extent_bytes_); }
    /// Bytes of data in a block, gaps not counted.
    std::int64_t bytes(int block) const {
        return count(block) * (types_ ? bytes_of_type(block) : type_bytes_);
    }
    /// In blocks first, ..., first + n - 1, as in message().
    std::int64_t bytes(int first, int n) const;

    /// One block as one message.
    TypedBuffer message(int block) const { return {at(block), count(block), type(block)}; }
    /// Blocks first, ..., first + n - 1, the block after the last one being block 0, as one message
    /// that is sent from or received into their places; n <= blocks. Makes a datatype only if the
    /// blocks do not follow each other or have more elements than an int counts.
    TypedBuffer message(int first, int n) const;
    /// The same for these blocks, in this order; count 0 if they have no data.
    TypedBuffer message(std::span<const int> blocks) const;

  private:
    Blocks(const void* buffer, MPI_Datatype type, int blocks);
    std::int64_t bytes_of_type(int block) const;
    /// The elements begin, ..., begin + count - 1 of the buffer.
    TypedBuffer elements(std::int64_t begin, std::int64_t count) const;
    /// Whether blocks first, ..., first + n - 1 < size() follow each other, so that these elements
    /// are all their data.
    struct Row {
        bool is_one;
        std::int64_t begin;
        std::int64_t count;
    };
    Row row_of(int first, int n) const;

    void* buffer_ = nullptr;
    MPI_Datatype type_ = MPI_BYTE;
    MPI_Aint extent_bytes_ = 1;
    std::int64_t type_bytes_ = 1;
    int blocks_ = 0;
    int quotient_ = 0;
    int remainder_ = 0;
    const int* counts_ = nullptr;           ///< of irregular ones
    const int* displacements_ = nullptr;    ///< of irregular ones
    const std::int64_t* begins_ = nullptr;  ///< of consecutive ones
    const MPI_Datatype* types_ = nullptr;   ///< of those with types of their own
};

/// Whether an int counts the elements of all blocks, of so many equal or of consecutive ones, as
/// MPI_Reduce_local and the parts of a collective do. The same on all ranks.
inline bool total_fits_int(std::int64_t count, int blocks) {
    return count * blocks <= std::numeric_limits<int>::max();
}
inline bool total_fits_int(const Blocks& blocks) {
    return blocks.begin(blocks.size()) <= std::numeric_limits<int>::max();
}

/// Copies within this rank between buffers of equal signature; gaps of `to` stay as they are.
/// memcpy where the datatypes allow it, else sendrecv_self().
void copy_locally(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks);

/// Appends data to, and takes data from, `packed` at `position`, which moves on: MPI_Pack and
/// MPI_Unpack, or memcpy where the datatype is its data.
void pack(const TypedBuffer& from, std::span<std::byte> packed, int& position, const Ranks& ranks);
void unpack(std::span<const std::byte> packed, int& position, const TypedBuffer& to,
            const Ranks& ranks);

/// The same copy always by a message: MPI has no datatyped copy (section 5 of "Implementing a
/// classic: zero-copy all-to-all communication with MPI datatypes"), and this is what the
/// algorithms of that paper do and count. Over the private communicator and not MPI_COMM_SELF, on
/// which operations of other threads might be copying at the same time.
void sendrecv_self(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks);

/// The input of a call with MPI_IN_PLACE, which stands in the receive buffer and would be
/// overwritten: memory with the layout of the receive buffer, and what that holds copied into it.
class InputCopy {
  public:
    /// Allocates; what `receive` views must stay valid.
    InputCopy(const Blocks& receive, const Ranks& ranks);
    /// Copies what the receive buffer holds now.
    void refresh() const;
    /// To be used with the counts, displacements and datatype of the receive buffer `recvbuf`.
    const void* sendbuf(const void* recvbuf) const;

  private:
    Blocks receive_;
    Ranks ranks_;
    Scratch memory_;
    MPI_Aint shift_bytes_ = 0;  ///< from a byte in the receive buffer to its copy
};

}  // namespace mpiaudit
