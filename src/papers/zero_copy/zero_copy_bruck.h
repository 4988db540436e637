// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "collectives/alltoall/packed_bruck.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "messages/owned.h"
#include "messages/scratch.h"
#include "zero_copy/datatypes.h"

namespace mpiaudit {

/// Committed datatypes of one round of Zero-copy Bruck, with absolute addresses (for MPI_BOTTOM).
struct ZeroCopyRound {
    OwnedDatatype send;
    OwnedDatatype receive;
};

/// Commits the two datatypes of a round.
ZeroCopyRound zero_copy_round(const Entries& send, const Entries& receive);

/// The three buffers between which Zero-copy Bruck moves the elements of a regular all-to-all. An
/// element is known by j, the number of ranks from its destination up to its source (mod p).
class ZeroCopyBuffers {
  public:
    /// Allocates room for `intermediate_elements` elements on their way, in the types of the
    /// receive datatype's signature, without gaps.
    ZeroCopyBuffers(const Blocks& send, const Blocks& receive, const Ranks& ranks,
                    int intermediate_elements);

    const Ranks& ranks() const { return ranks_; }
    /// Adds the own element j in the send buffer.
    void add_sent(Entries& entries, int j) const;
    /// Adds R[rank + j], ..., R[rank + j + count - 1], indices mod p.
    void add_received(Entries& entries, int j, int count) const;
    /// Adds the intermediate elements place, ..., place + count - 1.
    void add_intermediate(Entries& entries, int place, int count) const;
    /// Transfers the ownership of the intermediate buffer.
    Scratch release_intermediate() { return std::move(intermediate_); }

  private:
    const Ranks& ranks_;
    const Blocks& receive_;
    AlltoallElement sent_;
    AlltoallElement received_;
    IntermediateType intermediate_type_;
    std::int64_t element_bytes_;
    Scratch intermediate_;
};

/// Plans the places of elements on their way in Zero-copy Bruck on `ranks` ranks, with the least
/// number of intermediate places that its messages allow without copies. Equal on every rank;
/// results/reference/zero-copy proves it.
///
/// A place below `ranks` is R[rank + place], any other one element place - ranks of the
/// intermediate buffer.
class HalfBuffer {
  public:
    explicit HalfBuffer(int ranks);
    /// Returns where element j rests after round k; bit k of j is one.
    int arrival(int k, int j) const { return arrivals_[k][j]; }
    /// Returns where element j leaves from in round k; bit k of j is one, and so is a lower bit
    /// (otherwise the element leaves from the send buffer).
    int departure(int k, int j) const { return departures_[k][j]; }
    int intermediate_elements() const { return intermediate_elements_; }

  private:
    std::vector<std::vector<int>> arrivals_;    ///< [k][j]
    std::vector<std::vector<int>> departures_;  ///< [k][j]
    int intermediate_elements_ = 0;
};

/// Exchanges the messages of one round: sends to the rank `distance` before this one, receives from
/// the rank `distance` after it.
void exchange_round(const ZeroCopyRound& round, int distance, const Ranks& ranks);

/// See ZeroCopyPlanOf.
struct ZeroCopyPlan {
    int intermediate_elements;
    /// Returns the types of the round with this distance.
    std::function<ZeroCopyRound(const ZeroCopyBuffers&, int distance)> round;
};

/// The state of Zero-copy Bruck for blocks of different sizes, round by round. Blocks that pass
/// through rest alternately in two buffers of buckets, because no place of the receive buffer need
/// be large enough. Their type there is MPI_PACKED, which matches any type: a rank does not know
/// the types of blocks between other ranks.
class IrregularBruck {
  public:
    IrregularBruck(const Blocks& send, const Blocks& receive, const Ranks& ranks, int bucket_bytes);
    /// Sends rank - distance the sizes of the blocks of the coming round, and receives those of
    /// rank + distance.
    void exchange_sizes(int distance);
    /// Replaces exchange_sizes() without communication: creates its datatype, and assumes that
    /// arriving blocks are as large as leaving ones.
    void assume_equal_sizes(int distance);
    /// Replaces exchange_sizes() if all blocks have one size.
    void know_equal_sizes() { arriving_bytes_ = bytes_; }
    /// Returns the datatypes of the round whose sizes are known now. Call once per round, in
    /// ascending order.
    ZeroCopyRound next_round(int distance);
    /// Transfers the ownership of the two buffers.
    Scratch release_buckets() { return std::move(buckets_); }

  private:
    /// Returns the type of the sizes of the blocks that move in a round, from [distance] on: a
    /// bounded vector.
    OwnedDatatype sizes_type(int distance) const;
    /// Adds the blocks first, ..., first + count - 1 of the given sizes, which have `hops` hops
    /// left, in the buffer for the parity of `hops`.
    void add_buckets(Entries& entries, int first, int count, int hops,
                     const std::vector<int>& bytes) const;

    const Blocks& send_;
    const Blocks& receive_;
    const Ranks& ranks_;
    int bucket_bytes_;
    Scratch buckets_;
    std::vector<int> bytes_;           ///< of the block at [j], j as in ZeroCopyBuffers
    std::vector<int> arriving_bytes_;  ///< of the block that arrives at [j] in the coming round
};

}  // namespace mpiaudit
