// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/zero_copy_bruck.h"

#include <algorithm>

#include "collectives/datatypes/typed_buffer.h"
#include "messages/messages.h"
#include "messages/private_communicator.h"

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
                                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
    : ranks_{comm},
      send_{sendbuf, sendcount, sendtype},
      receive_{recvbuf, recvcount, recvtype},
      sent_{sendcount, sendtype},
      received_{recvcount, recvtype},
      intermediate_type_{recvtype},
      element_bytes_{receive_.bytes(0)} {}

void ZeroCopyBuffers::allocate_intermediate(int elements) {
    intermediate_ = Scratch(static_cast<std::size_t>(elements * element_bytes_));
}

void ZeroCopyBuffers::add_sent(Entries& entries, int j) const {
    entries.add(1, absolute_displacement(send_.address(ranks_.shifted(-j))), sent_.type());
}

void ZeroCopyBuffers::add_received(Entries& entries, int j, int count) const {
    const int first = ranks_.shifted(j);
    const int before_wrap = std::min(count, ranks_.size - first);
    entries.add(before_wrap, absolute_displacement(receive_.address(first)), received_.type());
    entries.add(count - before_wrap, absolute_displacement(receive_.address(0)), received_.type());
}

void ZeroCopyBuffers::add_intermediate(Entries& entries, int place, int count) const {
    TypedBuffer elements = intermediate_type_.buffer(
        moved_by(intermediate_.get(), place * element_bytes_), count * element_bytes_);
    if (elements.owned_type)
        entries.add(std::move(elements.owned_type), absolute_displacement(elements.address));
    else
        entries.add(elements.count, absolute_displacement(elements.address), elements.type);
}

void ZeroCopyBuffers::copy_own(MPI_Comm private_comm) const {
    const int own = ranks_.rank;
    copy_typed(send_.address(own), send_.count(own), send_.type(), receive_.address(own),
               receive_.count(own), receive_.type(), own, private_comm);
}

int zero_copy_bruck(const ZeroCopyBuffers& buffers, const MakeRound& make_round, MPI_Comm comm) {
    const MPI_Comm private_comm = private_communicator(comm);
    const AlltoallRanks& ranks = buffers.ranks();
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        const ZeroCopyRound round = make_round(distance);
        messages::exchange(MPI_BOTTOM, 1, round.send.get(), ranks.shifted(-distance), alltoall_tag,
                           MPI_BOTTOM, 1, round.receive.get(), ranks.shifted(distance),
                           alltoall_tag, private_comm);
    }
    buffers.copy_own(private_comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
