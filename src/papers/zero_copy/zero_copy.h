// SPDX-License-Identifier: BSD-3-Clause
// All-to-all without copies, and the algorithms with which the paper compares it: J. L. Träff, A.
// Rougier, S. Hunold, "Implementing a classic: zero-copy all-to-all communication with MPI
// datatypes", ICS 2014. Sections below are those of the paper; signatures and p, n, i, j, k, R are
// those of collectives/alltoall/alltoall.h.
#pragma once

#include "collectives/alltoall/alltoall.h"

namespace mpiaudit {

RoundTypeOf bounded_vector, indexed, circular_vector;
int exchange_by_basic_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                            const Ranks& ranks);

/// Shifts the input into R, sends in round k the blocks R[j] with bit k of j set, as a bounded
/// vector, to rank i + 2^k, unpacks the received blocks, and reverses and shifts R at the end
/// (section 3.1, Theorem 1): ceil(log2 p) rounds, at most ceil(log2 p) floor(p/2) n bytes. Returns
/// MPI_ERR_COUNT if p n >= 2 GiB, which MPI_Pack cannot count.
inline constexpr auto& basicBruck_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_basic_bruck, bounded_vector>>;

/// Runs as basicBruck_Alltoall, with an indexed type for the blocks of a round (section 3.1).
inline constexpr auto& basicBruck_ix_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_basic_bruck, indexed>>;

/// Runs as modBruck_ix_Alltoall, with a circular vector for the blocks of a round (section 3.2).
inline constexpr auto& modBruck_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_modified_bruck, circular_vector>>;

/// Describes which blocks pass through a rank in Zero-copy Bruck, and where they rest.
struct ZeroCopyPlan;
using ZeroCopyPlanOf = ZeroCopyPlan(int ranks);
ZeroCopyPlanOf single_blocks, runs_of_blocks, half_buffer;
int exchange_by_zero_bruck(ZeroCopyPlanOf plan_of, const Blocks& send, const Blocks& receive,
                           const Ranks& ranks);

/// Moves blocks as modBruck_Alltoall does, but alternately into R and into a buffer of p blocks, so
/// that nothing is packed or copied between the rounds (section 3.3, Listing 3): ceil(log2 p)
/// rounds, at most ceil(log2 p) floor(p/2) n bytes.
inline constexpr auto& zeroBruck_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_zero_bruck, single_blocks>>;

/// Runs as zeroBruck_Alltoall, with runs of up to 2^k and 2^k - 1 consecutive blocks as entries of
/// the structured types (section 3.3): equal rounds and bytes.
inline constexpr auto& zeroBruck_blocks_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_zero_bruck, runs_of_blocks>>;

/// Runs as zeroBruck_Alltoall, with at most floor(p/2) - 2 blocks of intermediate buffer: a block
/// on its way rests in any place of R that does not hold its final block yet (answers the open
/// question of section 5, see docs/zero-copy.md): equal rounds and bytes.
inline constexpr auto& zeroBruck_half_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_zero_bruck, half_buffer>>;

/// Moves blocks as zeroBruck_blocks_Alltoall does, through two buffers of p - 1 buckets of the
/// largest block's size, which an allreduce by recursive doubling finds; the sizes of a round's
/// blocks are sent ahead (section 3.5): 2 ceil(log2 p) rounds, per round #{j < p : bit k of j is
/// one} ints and the bytes of these blocks. If no rank has data, only the allreduce runs. Returns
/// MPI_ERR_COUNT on all ranks if a block has 2 GiB or more.
BlockExchange exchange_by_irregular_zero_bruck;
inline constexpr auto& zeroBruckV_Alltoallv =
    bind_first<alltoallv_by, exchange_by_irregular_zero_bruck>;

/// Runs as zeroBruckV_Alltoallv, with a type for each block: blocks pass through other ranks as
/// packed bytes, so these ranks need no type.
inline constexpr auto& zeroBruckW_Alltoallw =
    bind_first<alltoallw_by, exchange_by_irregular_zero_bruck>;

/// Chooses an algorithm from the smallest and the largest block of all ranks, which one allreduce
/// finds (section 3.5): zeroBruckV_Alltoallv without messages of sizes if all blocks are equal,
/// padded_Bruck_Alltoallv if the largest is at most twice the smallest, else zeroBruckV_Alltoallv.
BlockExchange exchange_by_chosen_bruck;
inline constexpr auto& chosen_Bruck_Alltoallv = bind_first<alltoallv_by, exchange_by_chosen_bruck>;

/// An all-to-all with bound arguments, and the datatypes and requests of all its rounds.
struct PersistentAlltoall;

/// Makes zeroBruck_Alltoall persistent: `init` (collective) binds the arguments and creates all
/// datatypes, which then cost nothing in the repeated part (section 3.4). Afterwards each pair of
/// `start` and `wait` performs the operation once, on the current contents of the buffers: `start`
/// begins the first round, `wait` does the others. All ranks call both in the same order relative
/// to other collective calls. `free` sets the handle to null. Per use ceil(log2 p) rounds, at most
/// ceil(log2 p) floor(p/2) n bytes.
int persBruck_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            PersistentAlltoall** handle);
int persBruck_Alltoall_start(PersistentAlltoall* handle);
int persBruck_Alltoall_wait(PersistentAlltoall* handle);
int persBruck_Alltoall_free(PersistentAlltoall** handle);

/// Makes zeroBruckV_Alltoallv persistent (section 3.5): `init` also finds the largest block and
/// exchanges the sizes, so each use has only ceil(log2 p) rounds. The arrays must not change before
/// `free`.
int persBruckV_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                              const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                              PersistentAlltoall** handle);
inline constexpr auto& persBruckV_Alltoallv_start = persBruck_Alltoall_start;
inline constexpr auto& persBruckV_Alltoallv_wait = persBruck_Alltoall_wait;
inline constexpr auto& persBruckV_Alltoallv_free = persBruck_Alltoall_free;

}  // namespace mpiaudit
