// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/irregular_bruck.h"

#include <algorithm>
#include <bit>

#include "collectives/allreduce/allreduce_by.h"
#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

std::int64_t largest_block_bytes(const Blocks& send, const Ranks& ranks) {
    std::int64_t largest = 0;
    for (int rank = 0; rank < ranks.size; ++rank) largest = std::max(largest, send.bytes(rank));
    const OnSteeringData here;
    allreduce_by_recursive_doubling(Reduction{1, MPI_INT64_T, MPI_MAX}, &largest, &largest, ranks);
    return largest;
}

IrregularBruck::IrregularBruck(const Blocks& send, const Blocks& receive, const Ranks& ranks,
                               int bucket_bytes)
    : send_{send},
      receive_{receive},
      ranks_{ranks},
      bucket_bytes_{bucket_bytes},
      buckets_{2 * static_cast<std::size_t>(ranks.size - 1) *
               static_cast<std::size_t>(bucket_bytes)},
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
    messages::exchange(&bytes_[distance], 1, sizes.get(), ranks_.shifted(-distance),
                       Tag::block_sizes, &arriving_bytes_[distance], 1, sizes.get(),
                       ranks_.shifted(distance), Tag::block_sizes, ranks_.comm);
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
        send.add(send_.count(own_to), absolute_displacement(send_.at(own_to)), send_.type());
        add_buckets(send, first + 1, count - 1, later_hops + 1, bytes_);
        if (later_hops > 0) {
            add_buckets(receive, first, count, later_hops, arriving_bytes_);
        } else {
            for (int j = first; j < first + count; ++j) {
                const int from = ranks_.shifted(j);
                receive.add(receive_.count(from), absolute_displacement(receive_.at(from)),
                            receive_.type());
            }
        }
        std::copy_n(&arriving_bytes_[first], count, &bytes_[first]);
    }
    return zero_copy_round(send, receive);
}

void IrregularBruck::copy_own() const {
    send_to_oneself(send_.message(ranks_.rank), receive_.message(ranks_.rank), ranks_);
}

}  // namespace mpiaudit
