// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>

#include "collectives/allgather/processes.h"
#include "messages/owned.h"

namespace mpiaudit {

/// Some elements of a buffer as the arguments of one message.
struct Message {
    void* in(void* buffer) const { return displaced(buffer, offset_bytes); }

    MPI_Aint offset_bytes;
    int count;
    MPI_Datatype type;
    OwnedDatatype owned_type;  ///< `type` where it had to be made
};

/// Where in a buffer the blocks of the processes lie.
class Blocks {
  public:
    /// `blocks` consecutive blocks of `count` elements each.
    static Blocks equal(int count, MPI_Datatype type, int blocks);
    /// `count` elements cut into `blocks` consecutive blocks, the first ones larger by one element
    /// where the division leaves a remainder.
    static Blocks split(int count, MPI_Datatype type, int blocks);
    /// `blocks` blocks anywhere, in MPI's notation; the arrays must outlive the object.
    static Blocks irregular(const int* counts, const int* displacements, MPI_Datatype type,
                            int blocks);

    int count(int block) const {
        return counts_ ? counts_[block] : quotient_ + (block < remainder_);
    }
    MPI_Aint offset_bytes(int block) const;
    void* at(int block, void* buffer) const { return displaced(buffer, offset_bytes(block)); }
    MPI_Datatype type() const { return type_; }

    /// Blocks first, ..., first + n - 1, the block after the last one being block 0, as one message
    /// that is sent from or received into their places; 0 <= first <= blocks, n <= blocks. Makes a
    /// datatype only if the blocks are not consecutive or more elements than an int counts.
    Message message(int first, int n) const;
    /// The same for these blocks, in this order.
    Message message(std::span<const int> blocks) const;

  private:
    Blocks(MPI_Datatype type, int blocks);
    bool is_consecutive(int first, int n) const;

    MPI_Datatype type_;
    MPI_Aint extent_bytes_ = 0;
    int blocks_;
    int quotient_ = 0;
    int remainder_ = 0;
    const int* counts_ = nullptr;
    const int* displacements_ = nullptr;
};

}  // namespace mpiaudit
