// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/zero_copy_bruck.h"

#include <algorithm>

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

OwnedDatatype committed(const Entries& entries) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    entries.create(&type);
    MPI_Type_commit(&type);
    return OwnedDatatype{type};
}

}  // namespace

ZeroCopyRound zero_copy_round(const Entries& send, const Entries& receive) {
    return {committed(send), committed(receive)};
}

ZeroCopyBuffers::ZeroCopyBuffers(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                 const Ranks& ranks)
    : ranks_{ranks},
      send_{Blocks::equal(sendbuf, sendcount, sendtype, ranks.size)},
      receive_{Blocks::equal(recvbuf, recvcount, recvtype, ranks.size)},
      sent_{sendcount, sendtype},
      received_{recvcount, recvtype},
      intermediate_type_{recvtype},
      element_bytes_{receive_.bytes(0)} {}

void ZeroCopyBuffers::allocate_intermediate(int elements) {
    intermediate_ = Scratch(static_cast<std::size_t>(elements * element_bytes_));
}

void ZeroCopyBuffers::add_sent(Entries& entries, int j) const {
    entries.add(1, absolute_displacement(send_.at(ranks_.shifted(-j))), sent_.type());
}

void ZeroCopyBuffers::add_received(Entries& entries, int j, int count) const {
    const int first = ranks_.shifted(j);
    const int before_wrap = std::min(count, ranks_.size - first);
    entries.add(before_wrap, absolute_displacement(receive_.at(first)), received_.type());
    entries.add(count - before_wrap, absolute_displacement(receive_.at(0)), received_.type());
}

void ZeroCopyBuffers::add_intermediate(Entries& entries, int place, int count) const {
    TypedBuffer elements = intermediate_type_.buffer(
        displaced(intermediate_.get(), place * element_bytes_), count * element_bytes_);
    if (elements.owned_type)
        entries.add(std::move(elements.owned_type), absolute_displacement(elements.address));
    else
        entries.add(elements.count, absolute_displacement(elements.address), elements.type);
}

void ZeroCopyBuffers::copy_own() const {
    send_to_oneself(send_.message(ranks_.rank), receive_.message(ranks_.rank), ranks_);
}

void exchange_round(const ZeroCopyRound& round, int distance, const Ranks& ranks) {
    messages::exchange(MPI_BOTTOM, 1, round.send.get(), ranks.shifted(-distance), Tag::data,
                       MPI_BOTTOM, 1, round.receive.get(), ranks.shifted(distance), Tag::data,
                       ranks.comm);
}

int zero_copy_bruck(const ZeroCopyBuffers& buffers, const MakeRound& make_round) {
    for (int distance = 1; distance < buffers.ranks().size; distance *= 2)
        exchange_round(make_round(distance), distance, buffers.ranks());
    buffers.copy_own();
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
