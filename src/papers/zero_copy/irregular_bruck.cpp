// SPDX-License-Identifier: BSD-3-Clause
// Defines IrregularBruck of zero_copy_bruck.h and the algorithms of zero_copy.h that use it.
#include "zero_copy/zero_copy_bruck.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "collectives/call/blocks.h"
#include "collectives/patterns/halving.h"
#include "zero_copy/datatypes.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {
namespace {

/// Limit on the ratio of the largest to the smallest block: padding then at most doubles the data,
/// and saves the messages of sizes.
constexpr std::int64_t most_padding = 2;

/// Exchanges blocks in buckets of this size. \param is_regular all blocks of all ranks have this
/// size
int in_buckets(std::int64_t bucket_bytes, bool is_regular, const Blocks& send,
               const Blocks& receive, const Ranks& ranks) {
    if (bucket_bytes == 0) return MPI_SUCCESS;
    if (bucket_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;
    IrregularBruck blocks{send, receive, ranks, static_cast<int>(bucket_bytes)};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        if (is_regular)
            blocks.know_equal_sizes();
        else
            blocks.exchange_sizes(distance);
        exchange_round(blocks.next_round(distance), distance, ranks);
    }
    sendrecv_self(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    return MPI_SUCCESS;
}

}  // namespace

IrregularBruck::IrregularBruck(const Blocks& send, const Blocks& receive, const Ranks& ranks,
                               int bucket_bytes)
    : send_{send},
      receive_{receive},
      ranks_{ranks},
      bucket_bytes_{bucket_bytes},
      buckets_{
          2 * static_cast<std::size_t>(ranks.size - 1) * static_cast<std::size_t>(bucket_bytes),
          place_between(send, receive)},
      bytes_(ranks.size),
      arriving_bytes_(ranks.size) {
    for (int j = 0; j < ranks.size; ++j)
        bytes_[j] = static_cast<int>(send.bytes(ranks.shifted(-j)));
}

OwnedDatatype IrregularBruck::sizes_type(int distance) const {
    MPI_Datatype sizes = MPI_DATATYPE_NULL;
    Type_create_vector_bounded(ranks_.size - distance, distance, 2 * distance, MPI_INT, &sizes);
    MPI_Type_commit(&sizes);
    return OwnedDatatype{sizes};
}

void IrregularBruck::exchange_sizes(int distance) {
    const OwnedDatatype sizes = sizes_type(distance);
    ranks_.exchange({&bytes_[distance], 1, sizes.get()}, ranks_.shifted(-distance),
                    {&arriving_bytes_[distance], 1, sizes.get()}, ranks_.shifted(distance),
                    Tag::block_sizes);
}

void IrregularBruck::assume_equal_sizes(int distance) {
    sizes_type(distance);
    arriving_bytes_ = bytes_;
}

void IrregularBruck::add_buckets(Entries& entries, int first, int count, int hops,
                                 const std::vector<int>& bytes) const {
    if (count == 0) return;
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    Type_create_bucket(count, &bytes[first], bucket_bytes_, MPI_PACKED, &blocks);
    const MPI_Aint bucket = first - 1 + (hops % 2) * (ranks_.size - 1);
    entries.add(OwnedDatatype{blocks},
                absolute_displacement(displaced(buckets_.get(), bucket * bucket_bytes_)));
}

ZeroCopyRound IrregularBruck::next_round(int distance) {
    Entries send;
    Entries receive;
    for (int first = distance; first < ranks_.size; first += 2 * distance) {
        const int count = std::min(distance, ranks_.size - first);
        const int later_hops = std::popcount(static_cast<unsigned>(first / distance)) - 1;
        const int own_to = ranks_.shifted(-first);
        send.add(send_.count(own_to), absolute_displacement(send_.at(own_to)), send_.type(own_to));
        add_buckets(send, first + 1, count - 1, later_hops + 1, bytes_);
        if (later_hops > 0) {
            add_buckets(receive, first, count, later_hops, arriving_bytes_);
        } else {
            for (int j = first; j < first + count; ++j) {
                const int from = ranks_.shifted(j);
                receive.add(receive_.count(from), absolute_displacement(receive_.at(from)),
                            receive_.type(from));
            }
        }
        std::copy_n(&arriving_bytes_[first], count, &bytes_[first]);
    }
    return zero_copy_round(send, receive);
}

int exchange_by_irregular_zero_bruck(const Blocks& send, const Blocks& receive,
                                     const Ranks& ranks) {
    return in_buckets(largest_block_bytes(send, ranks), false, send, receive, ranks);
}

int make_irregular_zero_bruck_types(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    std::int64_t bucket_bytes = 0;
    for (int rank = 0; rank < ranks.size; ++rank)
        bucket_bytes = std::max(bucket_bytes, send.bytes(rank));
    if (bucket_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;

    IrregularBruck blocks{send, receive, ranks, static_cast<int>(bucket_bytes)};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        blocks.assume_equal_sizes(distance);
        blocks.next_round(distance);
    }
    return MPI_SUCCESS;
}

// All ranks make the same choice, from numbers that all of them know.
int exchange_by_chosen_bruck(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    std::int64_t range[2] = {send.bytes(0), -send.bytes(0)};
    for (int rank = 1; rank < ranks.size; ++rank) {
        range[0] = std::max(range[0], send.bytes(rank));
        range[1] = std::max(range[1], -send.bytes(rank));
    }
    {
        const OnControlData here;
        allreduce_by_recursive_doubling({2, MPI_INT64_T, MPI_MAX}, range, range, ranks);
    }
    const std::int64_t largest = range[0], smallest = -range[1];
    if (smallest < largest && largest <= most_padding * smallest &&
        total_fits_int(largest, (ranks.size + 1) / 2))
        return exchange_in_slots(largest, send, receive, ranks);
    return in_buckets(largest, smallest == largest, send, receive, ranks);
}

}  // namespace mpiaudit
