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

/// Locations of the blocks of a call's ranks in a buffer. A view: the buffer and the arrays must
/// outlive this object. The buffer may be MPI_BOTTOM, or constant if blocks are only sent.
class Blocks {
  public:
    Blocks() = default;
    /// Makes `blocks` consecutive blocks of `count` elements each.
    static Blocks equal(const void* buffer, int count, MPI_Datatype type, int blocks);
    /// Cuts `count` elements into `blocks` consecutive blocks; the first ones have one more element
    /// if the division leaves a remainder.
    static Blocks split(const void* buffer, int count, MPI_Datatype type, int blocks);
    static Blocks split(const TypedBuffer& vector, int blocks) {
        return split(vector.address, vector.count, vector.type, blocks);
    }
    /// Makes consecutive blocks that begin with elements begins[0], begins[1], ...; the last entry
    /// is the end of the last block. A block has at most INT_MAX elements, all blocks together may
    /// have more.
    static Blocks consecutive(const void* buffer, std::span<const std::int64_t> begins,
                              MPI_Datatype type);
    /// Makes blocks with MPI's counts and displacements.
    static Blocks irregular(const void* buffer, const int counts[], const int displacements[],
                            MPI_Datatype type, int blocks);
    /// Makes blocks with the arguments of MPI_Alltoallw: displacements count bytes, and a message
    /// has a single block.
    static Blocks of_types(const void* buffer, const int counts[], const int displacements[],
                           const MPI_Datatype types[], int blocks);
    Blocks with_buffer(const void* buffer) const;

    void* buffer() const { return buffer_; }
    /// Returns an address in the data, for Scratch; null without data, and while no program has
    /// buffers in the memory of a device.
    const void* data() const;
    MPI_Datatype type() const { return type_; }
    /// Returns the datatype of one block; meaningless for a block without elements.
    MPI_Datatype type(int block) const {
        return types_ && count(block) > 0 ? types_[block] : type_;
    }
    int size() const { return blocks_; }
    int count(int block) const {
        if (counts_) return counts_[block];
        return begins_ ? static_cast<int>(begins_[block + 1] - begins_[block])
                       : quotient_ + (block < remainder_);
    }
    /// Returns the first element of a block; also valid for block size() of consecutive blocks, as
    /// the end of the last one.
    std::int64_t begin(int block) const {
        if (displacements_) return displacements_[block];
        return begins_ ? begins_[block]
                       : std::int64_t{block} * quotient_ + std::min(block, remainder_);
    }
    void* at(int block) const { return displaced(buffer_, begin(block) * extent_bytes_); }
    /// Returns the bytes of data in a block, without gaps.
    std::int64_t bytes(int block) const {
        return count(block) * (types_ ? bytes_of_type(block) : type_bytes_);
    }
    /// Returns the bytes of blocks first, ..., first + n - 1, which wrap around as in message().
    std::int64_t bytes(int first, int n) const;

    TypedBuffer message(int block) const { return {at(block), count(block), type(block)}; }
    /// Returns blocks first, ..., first + n - 1 (block 0 follows the last one) as one message from
    /// or to their places; n <= blocks. Creates a datatype only if the blocks are not consecutive
    /// or have more than INT_MAX elements.
    TypedBuffer message(int first, int n) const;
    /// Returns these blocks in this order as one message; count 0 if they have no data.
    TypedBuffer message(std::span<const int> blocks) const;

  private:
    Blocks(const void* buffer, MPI_Datatype type, int blocks);
    std::int64_t bytes_of_type(int block) const;
    /// Returns the elements begin, ..., begin + count - 1 of the buffer.
    TypedBuffer elements(std::int64_t begin, std::int64_t count) const;
    /// The data of blocks first, ..., first + n - 1 < size(). `is_one`: the blocks are consecutive,
    /// so these elements are all their data.
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
    const int* counts_ = nullptr;           ///< of irregular blocks
    const int* displacements_ = nullptr;    ///< of irregular blocks
    const std::int64_t* begins_ = nullptr;  ///< of consecutive blocks
    const MPI_Datatype* types_ = nullptr;   ///< of blocks with their own datatypes
};

/// Returns where temporary memory belongs (see Scratch): to the received data, or to the sent data
/// if this rank receives nothing.
inline const void* place_between(const Blocks& sent, const Blocks& received) {
    const void* const data = received.data();
    return data != nullptr ? data : sent.data();
}

/// Returns true if an int counts the elements of all blocks (equal or consecutive ones) together,
/// as MPI_Reduce_local and the parts of a collective need; equal on all ranks.
inline bool total_fits_int(std::int64_t count, int blocks) {
    return count * blocks <= std::numeric_limits<int>::max();
}
inline bool total_fits_int(const Blocks& blocks) {
    return blocks.begin(blocks.size()) <= std::numeric_limits<int>::max();
}

/// Copies within this rank between buffers of equal signature; keeps gaps of `to`. Uses memcpy if
/// the datatypes allow, else sendrecv_self().
void copy_locally(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks);

/// Append data to `packed`, or take data from it, at `position`, and advance `position`, by
/// MPI_Pack, MPI_Unpack, or by memcpy if the datatype is dense.
void pack(const TypedBuffer& from, std::span<std::byte> packed, int& position, const Ranks& ranks);
void unpack(std::span<const std::byte> packed, int& position, const TypedBuffer& to,
            const Ranks& ranks);

/// Copies within this rank by a message to itself: MPI has no copy with datatypes (section 5 of
/// "Implementing a classic: zero-copy all-to-all communication with MPI datatypes"), and the
/// algorithms of that paper use and count such messages. Uses the private communicator, since other
/// threads may use MPI_COMM_SELF.
void sendrecv_self(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks);

/// A copy of the input of a call with MPI_IN_PLACE, which the receive buffer would overwrite; has
/// the layout of the receive buffer.
class InputCopy {
  public:
    /// Allocates memory; the buffer of `receive` must stay valid.
    InputCopy(const Blocks& receive, const Ranks& ranks);
    /// Copies the current data of the receive buffer.
    void refresh() const;
    /// Returns the address in the copy that stands for `recvbuf`: with this send buffer, the
    /// counts, displacements and datatype of the receive buffer describe the copy.
    const void* sendbuf(const void* recvbuf) const;

  private:
    Blocks receive_;
    Ranks ranks_;
    Scratch memory_;
    MPI_Aint shift_bytes_ = 0;  ///< from a byte of the receive buffer to its copy
};

}  // namespace mpiaudit
