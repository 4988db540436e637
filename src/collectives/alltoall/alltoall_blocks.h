// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "messages/owned.h"

namespace mpiaudit {

/// One side of an all-to-all: the block for, or from, each rank. Views the caller's arrays.
class AlltoallBlocks {
  public:
    /// MPI_Alltoall: equal blocks in rank order.
    AlltoallBlocks(const void* buffer, int count, MPI_Datatype type);
    /// MPI_Alltoallv: counts and displacements in elements of `type`.
    AlltoallBlocks(const void* buffer, const int counts[], const int displacements[],
                   MPI_Datatype type);

    int count(int rank) const { return counts_ ? counts_[rank] : equal_count_; }
    MPI_Datatype type() const { return type_; }
    /// Bytes of data in the block, gaps not counted.
    std::int64_t bytes(int rank) const { return count(rank) * type_bytes_; }
    void* address(int rank) const;

  private:
    const void* buffer_;
    const int* counts_ = nullptr;         ///< Null for equal blocks.
    const int* displacements_ = nullptr;  ///< Null for equal blocks.
    int equal_count_ = 0;
    MPI_Datatype type_;
    MPI_Aint extent_ = 0;
    std::int64_t type_bytes_ = 0;
};

/// `count` items of a datatype as one: the papers' "element" of a regular all-to-all. Counts of
/// elements stay small where counts of items would not fit an int.
class AlltoallElement {
  public:
    AlltoallElement(int count, MPI_Datatype type);
    MPI_Datatype type() const { return type_.get(); }
    MPI_Aint extent() const { return extent_; }
    /// Element `index` of a buffer of elements.
    void* in(const void* buffer, int index) const;

  private:
    OwnedDatatype type_;
    MPI_Aint extent_ = 0;
};

/// How many ranks take part in a call, and which one this is.
struct AlltoallRanks {
    explicit AlltoallRanks(MPI_Comm comm);
    /// The rank `distance` (at least -size) ranks further on the ring of all ranks.
    int shifted(int distance) const { return (rank + distance + size) % size; }

    int size = 0;
    int rank = 0;
};

/// Messages between two ranks match in the order in which they are sent: one tag is enough.
inline constexpr int alltoall_tag = 0;

/// The displacement that leads from MPI_BOTTOM to `address`.
MPI_Aint absolute_displacement(const void* address);

/// Copies data within this rank between buffers of equal signature: MPI has no datatyped copy
/// (section 5 of the paper), hence a message to oneself over the private communicator.
void copy_typed(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                MPI_Datatype to_type, int rank, MPI_Comm private_comm);

}  // namespace mpiaudit
