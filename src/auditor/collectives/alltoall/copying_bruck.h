// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

#include "collectives/alltoall/alltoall_element.h"
#include "collectives/call/ranks.h"
#include "messages/owned.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// The elements that move in the round whose messages go `distance` = 2^k ranks far, committed.
/// Basic Bruck counts them from element `distance` of R on, Modified Bruck from element 0 on.
using RoundType = OwnedDatatype (*)(const Ranks& ranks, int distance, MPI_Datatype element);

/// Basic Bruck and Modified Bruck (sections 2, 3.1, 3.2) with the given description of a round.
/// `sendbuf` is not MPI_IN_PLACE.
int basic_bruck(RoundType round_type, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int modified_bruck(RoundType round_type, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                   void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/// Their datatype work alone.
int basic_bruck_types(RoundType round_type, int sendcount, MPI_Datatype sendtype, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm);
int modified_bruck_types(RoundType round_type, int sendcount, MPI_Datatype sendtype, int recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm);

/// Whether MPI_Pack and MPI_Unpack, which count bytes with an int, can handle that many elements of
/// `count` items. The same on all ranks, whose elements have equal signatures.
bool fits_packed(int elements, int count, MPI_Datatype type);

/// The intermediate buffer of these algorithms. What it holds is MPI_PACKED: a packed sequence may
/// be received from any type, without knowing the signature of the elements (section 3.1).
class PackedBuffer {
  public:
    explicit PackedBuffer(const Ranks& ranks) : ranks_{ranks} {}
    /// Sends `blocks`, which starts at `buffer`, to rank `to` and replaces it by what rank `from`
    /// sends likewise: receives packed, then unpacks.
    void exchange(void* buffer, MPI_Datatype blocks, int to, int from);
    /// Moves element j of `buffer`, one for every rank, to (this rank - j) mod p.
    void reverse(void* buffer, const AlltoallElement& element);

  private:
    /// Bytes that `count` items need packed; makes room for them.
    int reserve(int count, MPI_Datatype type);

    Ranks ranks_;
    Scratch memory_;
    int capacity_bytes_ = -1;  ///< MPI_Unpack wants memory for an empty sequence too.
};

}  // namespace mpiaudit
