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

/// What one round of Zero-copy Bruck sends and receives, with absolute addresses (for MPI_BOTTOM),
/// committed.
struct ZeroCopyRound {
    OwnedDatatype send;
    OwnedDatatype receive;
};

/// Makes a round from the entries of its two datatypes.
ZeroCopyRound zero_copy_round(const Entries& send, const Entries& receive);

/// The three buffers between which Zero-copy Bruck moves the elements of a regular all-to-all. An
/// element is known by j, the number of ranks from its destination up to its source (mod p).
class ZeroCopyBuffers {
  public:
    /// With room for that many elements on their way. Their datatype is that of the signature of
    /// the receive datatype, without its gaps.
    ZeroCopyBuffers(const Blocks& send, const Blocks& receive, const Ranks& ranks,
                    int intermediate_elements);

    const Ranks& ranks() const { return ranks_; }
    /// The own element j in the send buffer.
    void add_sent(Entries& entries, int j) const;
    /// R[rank + j], ..., R[rank + j + count - 1], indices mod p.
    void add_received(Entries& entries, int j, int count) const;
    /// Intermediate elements place, ..., place + count - 1.
    void add_intermediate(Entries& entries, int place, int count) const;
    /// The intermediate buffer, for one who outlives this object.
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

/// Where Zero-copy Bruck on `ranks` ranks can keep the elements on their way, so that it needs as
/// few intermediate places as any schedule of its messages does without copies. Known to every rank
/// alike; see README.md for why it is right and optimal.
///
/// A place below `ranks` is R[rank + place], any other one element place - ranks of the
/// intermediate buffer.
class HalfBuffer {
  public:
    explicit HalfBuffer(int ranks);
    /// Where element j comes to rest in round k; bit k of j is one.
    int arrival(int k, int j) const { return arrivals_[k][j]; }
    /// Where element j leaves from in round k; bit k of j is one, and a lower one too (else it
    /// leaves from the send buffer).
    int departure(int k, int j) const { return departures_[k][j]; }
    int intermediate_elements() const { return intermediate_elements_; }

  private:
    std::vector<std::vector<int>> arrivals_;    ///< [k][j]
    std::vector<std::vector<int>> departures_;  ///< [k][j]
    int intermediate_elements_ = 0;
};

/// One round: its messages go to the rank `distance` before this one, from that after it.
void exchange_round(const ZeroCopyRound& round, int distance, const Ranks& ranks);

/// See ZeroCopyPlanOf.
struct ZeroCopyPlan {
    int intermediate_elements;
    /// What moves in the round of that distance.
    std::function<ZeroCopyRound(const ZeroCopyBuffers&, int distance)> round;
};

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
