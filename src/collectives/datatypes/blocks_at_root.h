// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "collectives/datatypes/typed_buffer.h"

namespace mpiaudit {

/// The ranks first..last.
struct RankRange {
    int first;
    int last;
};

/// The blocks of all ranks in the root's buffer, as the root describes them in its call: with
/// counts and displacements in elements (Gatherv, Scatterv) or as equal blocks in rank order
/// (Gather, Scatter). Only views the caller's arrays.
class BlocksAtRoot {
  public:
    BlocksAtRoot() = default;
    static BlocksAtRoot irregular(const void* buffer, const int counts[], const int displacements[],
                                  MPI_Datatype type);
    static BlocksAtRoot regular(const void* buffer, int count, MPI_Datatype type);

    int count(int rank) const { return counts_ ? counts_[rank] : regular_count_; }
    std::int64_t bytes(int rank) const { return count(rank) * element_bytes_; }
    std::int64_t bytes(std::span<const RankRange> ranges) const;
    /// The block of one rank.
    TypedBuffer block(int rank) const;
    /// The blocks of the ranges, one range after the other, as one message: in place when they
    /// follow each other in the buffer, else a datatype that describes where they lie, so that they
    /// are never copied (Träff 2017, section 3).
    TypedBuffer blocks(std::span<const RankRange> ranges) const;
    MPI_Datatype type() const { return type_; }

  private:
    MPI_Aint displacement(int rank) const {
        return displacements_ ? displacements_[rank] : static_cast<MPI_Aint>(rank) * regular_count_;
    }

    const void* buffer_ = nullptr;
    const int* counts_ = nullptr;         ///< Null for equal blocks.
    const int* displacements_ = nullptr;  ///< Null for equal blocks.
    int regular_count_ = 0;
    MPI_Datatype type_ = MPI_BYTE;
    std::int64_t element_bytes_ = 1;
    MPI_Aint extent_ = 1;
};

}  // namespace mpiaudit
