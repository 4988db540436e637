// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "messages/scratch.h"
#include "zero_copy/zero_copy_bruck.h"

namespace mpiaudit {

/// The state of Zero-copy Bruck for blocks of different sizes, round by round. What passes through
/// rests in two buffers of buckets in turn, because no place of the receive buffer need be large
/// enough. It is MPI_PACKED there, which may be received from and sent to any type: a rank cannot
/// know the signature of a block that others exchange with types of their own.
class IrregularBruck {
  public:
    IrregularBruck(const Blocks& send, const Blocks& receive, const Ranks& ranks, int bucket_bytes);
    /// Tells rank - distance the sizes of the blocks that it is about to get, and learns those that
    /// come from rank + distance.
    void exchange_sizes(int distance);
    /// The same without communication: makes the datatype of the exchange, then takes what comes to
    /// be as large as what goes.
    void assume_equal_sizes(int distance);
    /// Where all blocks are known to have one size: neither.
    void know_equal_sizes() { arriving_bytes_ = bytes_; }
    /// The datatypes of the round whose sizes are known now. Rounds go up, each once.
    ZeroCopyRound next_round(int distance);
    void copy_own() const;
    /// The two buffers, for one who outlives this object.
    Scratch release_buckets() { return std::move(buckets_); }

  private:
    /// The sizes of the blocks that move in a round, from [distance] on, as a bounded vector.
    OwnedDatatype sizes_type(int distance) const;
    /// Blocks first, ..., first + count - 1 of the given sizes, which have `hops` still to go, in
    /// the buffer of those with that parity.
    void add_buckets(Entries& entries, int first, int count, int hops,
                     const std::vector<int>& bytes) const;

    const Blocks& send_;
    const Blocks& receive_;
    const Ranks& ranks_;
    int bucket_bytes_;
    Scratch buckets_;
    std::vector<int> bytes_;           ///< of the block that is at [j], j as in ZeroCopyBuffers
    std::vector<int> arriving_bytes_;  ///< of the one that comes to [j] in the coming round
};

}  // namespace mpiaudit
