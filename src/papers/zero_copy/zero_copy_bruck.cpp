// SPDX-License-Identifier: BSD-3-Clause
#include "zero_copy/zero_copy_bruck.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "collectives/call/blocks.h"
#include "collectives/call/integers.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {
namespace {

OwnedDatatype committed(const Entries& entries) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    entries.create(&type);
    MPI_Type_commit(&type);
    return OwnedDatatype{type};
}

/// Returns the types of a round (section 3.3, Listing 3). An element alternates between R and the
/// intermediate buffer so that its last hop ends in R; before its first hop it is in the send
/// buffer.
ZeroCopyRound single_block_round(const ZeroCopyBuffers& buffers, int distance) {
    Entries send;
    Entries receive;
    for (int j = distance; j < buffers.ranks().size; ++j) {
        if (!(j & distance)) continue;
        const int later_hops = std::popcount(static_cast<unsigned>(j / distance)) - 1;
        const bool is_first_hop = j % distance == 0;
        const bool is_into_receive = later_hops % 2 == 0;
        if (is_first_hop)
            buffers.add_sent(send, j);
        else if (is_into_receive)
            buffers.add_intermediate(send, j, 1);
        else
            buffers.add_received(send, j, 1);
        if (is_into_receive)
            buffers.add_received(receive, j, 1);
        else
            buffers.add_intermediate(receive, j, 1);
    }
    return zero_copy_round(send, receive);
}

/// Returns the types of a round with runs of elements. The `distance` elements from each odd
/// multiple of `distance` on have equal numbers of later hops, and all but the first of them have
/// had hops: each group is one run.
ZeroCopyRound block_round(const ZeroCopyBuffers& buffers, int distance) {
    Entries send;
    Entries receive;
    for (int first = distance; first < buffers.ranks().size; first += 2 * distance) {
        const int count = std::min(distance, buffers.ranks().size - first);
        const int later_hops = std::popcount(static_cast<unsigned>(first / distance)) - 1;
        const bool is_into_receive = later_hops % 2 == 0;
        buffers.add_sent(send, first);
        if (is_into_receive) {
            buffers.add_intermediate(send, first + 1, count - 1);
            buffers.add_received(receive, first, count);
        } else {
            buffers.add_received(send, first + 1, count - 1);
            buffers.add_intermediate(receive, first, count);
        }
    }
    return zero_copy_round(send, receive);
}

void add_place(const ZeroCopyBuffers& buffers, Entries& entries, int place) {
    const int ranks = buffers.ranks().size;
    if (place < ranks)
        buffers.add_received(entries, place, 1);
    else
        buffers.add_intermediate(entries, place - ranks, 1);
}

ZeroCopyRound half_buffer_round(const HalfBuffer& places, const ZeroCopyBuffers& buffers,
                                int distance) {
    const int k = std::countr_zero(static_cast<unsigned>(distance));
    Entries send;
    Entries receive;
    for (int j = distance; j < buffers.ranks().size; ++j) {
        if (!(j & distance)) continue;
        if (j % distance == 0)
            buffers.add_sent(send, j);
        else
            add_place(buffers, send, places.departure(k, j));
        add_place(buffers, receive, places.arrival(k, j));
    }
    return zero_copy_round(send, receive);
}

}  // namespace

ZeroCopyRound zero_copy_round(const Entries& send, const Entries& receive) {
    return {committed(send), committed(receive)};
}

ZeroCopyBuffers::ZeroCopyBuffers(const Blocks& send, const Blocks& receive, const Ranks& ranks,
                                 int intermediate_elements)
    : ranks_{ranks},
      receive_{receive},
      sent_{send},
      received_{receive},
      intermediate_type_{receive.type()},
      element_bytes_{receive.bytes(0)},
      intermediate_{static_cast<std::size_t>(intermediate_elements * element_bytes_),
                    place_between(send, receive)} {}

void ZeroCopyBuffers::add_sent(Entries& entries, int j) const {
    const TypedBuffer element = sent_.at(ranks_.shifted(-j));
    entries.add(element.count, absolute_displacement(element.address), element.type);
}

void ZeroCopyBuffers::add_received(Entries& entries, int j, int count) const {
    const int first = ranks_.shifted(j);
    const int before_wrap = std::min(count, ranks_.size - first);
    entries.add(before_wrap * received_.items(), absolute_displacement(receive_.at(first)),
                received_.type());
    entries.add((count - before_wrap) * received_.items(), absolute_displacement(receive_.at(0)),
                received_.type());
}

void ZeroCopyBuffers::add_intermediate(Entries& entries, int place, int count) const {
    TypedBuffer elements = intermediate_type_.buffer(
        displaced(intermediate_.get(), place * element_bytes_), count * element_bytes_);
    if (elements.owned_type)
        entries.add(std::move(elements.owned_type), absolute_displacement(elements.address));
    else
        entries.add(elements.count, absolute_displacement(elements.address), elements.type);
}

void exchange_round(const ZeroCopyRound& round, int distance, const Ranks& ranks) {
    ranks.exchange({MPI_BOTTOM, 1, round.send.get()}, ranks.shifted(-distance),
                   {MPI_BOTTOM, 1, round.receive.get()}, ranks.shifted(distance));
}

ZeroCopyPlan single_blocks(int ranks) {
    return {ranks, single_block_round};
}

ZeroCopyPlan runs_of_blocks(int ranks) {
    return {ranks, block_round};
}

ZeroCopyPlan half_buffer(int ranks) {
    HalfBuffer places{ranks};
    const int elements = places.intermediate_elements();
    return {elements, std::bind_front(half_buffer_round, std::move(places))};
}

int exchange_by_zero_bruck(ZeroCopyPlanOf plan_of, const Blocks& send, const Blocks& receive,
                           const Ranks& ranks) {
    const ZeroCopyPlan plan = plan_of(ranks.size);
    const ZeroCopyBuffers buffers{send, receive, ranks, plan.intermediate_elements};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        exchange_round(plan.round(buffers, distance), distance, ranks);
    sendrecv_self(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    return MPI_SUCCESS;
}

int make_zero_bruck_types(ZeroCopyPlanOf plan_of, const Blocks& send, const Blocks& receive,
                          const Ranks& ranks) {
    const ZeroCopyPlan plan = plan_of(ranks.size);
    const ZeroCopyBuffers buffers{send, receive, ranks, plan.intermediate_elements};
    for (int distance = 1; distance < ranks.size; distance *= 2) plan.round(buffers, distance);
    return MPI_SUCCESS;
}

// An element occupies a place from the round in which it arrives to the round in which it leaves:
// intervals of rounds, to be coloured with places. Backwards in time, from the end when R holds the
// result, the places of R become free one after the other. The greedy colouring needs no more
// colours than intervals overlap in one round.
HalfBuffer::HalfBuffer(int ranks) {
    const int rounds = ceil_log2(ranks);
    arrivals_.assign(rounds, std::vector<int>(ranks));
    departures_.assign(rounds, std::vector<int>(ranks));
    std::vector<int> place(ranks);  // of element j in the rounds already planned
    std::iota(place.begin(), place.end(), 0);
    std::vector<int> free_places{0};  // the own element is copied to R[rank] after the last round
    for (int k = rounds - 1; k >= 0; --k) {
        const int distance = 1 << k;
        for (int j = distance; j < ranks; ++j) {
            if (!(j & distance)) continue;
            arrivals_[k][j] = place[j];
            if (j % distance == 0) continue;
            if (free_places.empty()) free_places.push_back(ranks + intermediate_elements_++);
            departures_[k][j] = place[j] = free_places.back();
            free_places.pop_back();
        }
        // Places become free after the round: nothing may arrive where an element leaves.
        for (int j = distance; j < ranks; ++j)
            if (j & distance) free_places.push_back(arrivals_[k][j]);
    }
}

}  // namespace mpiaudit
