// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algorithms/algorithms.h"
#include "zero_copy/zero_copy.h"

namespace mpiaudit {

/// Returns the rows of the algorithms of zero_copy.h in the table of algorithms.
std::vector<Algorithm> zero_copy_algorithms();

// The datatype work of the all-to-all algorithms alone, to measure it without communication (Träff,
// Rougier, Hunold 2014, section 4.2). Every function creates, commits and frees the datatypes that
// its algorithm creates in one call, and allocates their buffers; it sends nothing and writes to no
// buffer. The functions are local, with the arguments of the collective call except MPI_IN_PLACE.
// Persistent variants do this work in `init`.

int alltoall_types_by(BlockExchange make_types, const void* sendbuf, int sendcount,
                      MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                      MPI_Comm comm);
int alltoallv_types_by(BlockExchange make_types, const void* sendbuf, const int sendcounts[],
                       const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                       const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                       MPI_Comm comm);

int make_bruck_types(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                     const Ranks& ranks);
inline constexpr auto& basicBruck_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_bruck_types, bounded_vector>>;
inline constexpr auto& basicBruck_ix_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_bruck_types, indexed>>;
inline constexpr auto& modBruck_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_bruck_types, circular_vector>>;
inline constexpr auto& modBruck_ix_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_bruck_types, indexed_block>>;

int make_zero_bruck_types(ZeroCopyPlanOf plan_of, const Blocks& send, const Blocks& receive,
                          const Ranks& ranks);
inline constexpr auto& zeroBruck_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_zero_bruck_types, single_blocks>>;
inline constexpr auto& zeroBruck_blocks_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_zero_bruck_types, runs_of_blocks>>;
inline constexpr auto& zeroBruck_half_Alltoall_create_types_only =
    bind_first<alltoall_types_by, bind_first<make_zero_bruck_types, half_buffer>>;

/// Creates the types without exchanging sizes: a block that passes through is assumed to be as
/// large as the block that left from the same place, which is exact for equal blocks.
BlockExchange make_irregular_zero_bruck_types;
inline constexpr auto& zeroBruckV_Alltoallv_create_types_only =
    bind_first<alltoallv_types_by, make_irregular_zero_bruck_types>;

}  // namespace mpiaudit
