// SPDX-License-Identifier: BSD-3-Clause
// All-to-all without copies, after J. L. Träff, A. Rougier, S. Hunold, "Implementing a classic:
// zero-copy all-to-all communication with MPI datatypes", ICS 2014, whose sections are meant, and
// the algorithms with which the paper compares it. The signatures, and what p, n, i, j, k and R
// are, are those of collectives/alltoall/alltoall.h.
#pragma once

#include "collectives/alltoall/alltoall.h"

namespace mpiaudit {

RoundTypeOf bounded_vector, indexed, circular_vector;
int exchange_by_basic_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                            const Ranks& ranks);

/// Shifts the input into R, sends in round k the blocks R[j] with bit k of j set, as a bounded
/// vector, to rank i + 2^k, unpacks what came, and reverses and shifts R at the end (section 3.1,
/// Theorem 1): ceil(log2 p) rounds, at most ceil(log2 p) floor(p/2) n bytes; MPI_ERR_COUNT if
/// p n >= 2 GiB, which MPI_Pack cannot count.
inline constexpr auto& basicBruck_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_basic_bruck, bounded_vector>>;

/// As basicBruck_Alltoall, the blocks of a round described by an indexed type (section 3.1).
inline constexpr auto& basicBruck_ix_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_basic_bruck, indexed>>;

/// As modBruck_ix_Alltoall, the blocks of a round described by a circular vector (section 3.2).
inline constexpr auto& modBruck_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_modified_bruck, circular_vector>>;

/// What passes through a rank in Zero-copy Bruck, and where it rests there.
struct ZeroCopyPlan;
using ZeroCopyPlanOf = ZeroCopyPlan(int ranks);
ZeroCopyPlanOf single_blocks, runs_of_blocks, half_buffer;
int exchange_by_zero_bruck(ZeroCopyPlanOf plan_of, const Blocks& send, const Blocks& receive,
                           const Ranks& ranks);

/// Moves blocks as modBruck_Alltoall does, but each straight from the send buffer, R or a buffer of
/// p blocks into R or that buffer, in turn, so that nothing is packed or copied between the rounds
/// (section 3.3, Listing 3): ceil(log2 p) rounds, at most ceil(log2 p) floor(p/2) n bytes.
inline constexpr auto& zeroBruck_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_zero_bruck, single_blocks>>;

/// As zeroBruck_Alltoall, the structured types with runs of up to 2^k and 2^k - 1 consecutive
/// blocks in place of single ones (section 3.3): the same rounds and bytes.
inline constexpr auto& zeroBruck_blocks_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_zero_bruck, runs_of_blocks>>;

/// As zeroBruck_Alltoall, with at most floor(p/2) - 2 blocks of intermediate buffer: a block on its
/// way rests wherever R has a place that is not yet taken for good (answers the open question of
/// section 5, see README.md): the same rounds and bytes.
inline constexpr auto& zeroBruck_half_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_zero_bruck, half_buffer>>;

/// Moves blocks as zeroBruck_blocks_Alltoall does, through two buffers of p - 1 buckets of the
/// largest block's size (an allreduce by recursive doubling finds it), the sizes of a round's
/// blocks sent ahead of them (section 3.5): 2 ceil(log2 p) rounds, per round #{j < p : bit k of j
/// is one} ints and the bytes of these blocks; nothing but the allreduce if no rank has data;
/// MPI_ERR_COUNT on all ranks if some block has 2 GiB or more.
BlockExchange exchange_by_irregular_zero_bruck;
inline constexpr auto& zeroBruckV_Alltoallv =
    bind_first<alltoallv_by, exchange_by_irregular_zero_bruck>;

/// The same with a type for each block: what passes through is packed, and no rank needs its type.
inline constexpr auto& zeroBruckW_Alltoallw =
    bind_first<alltoallw_by, exchange_by_irregular_zero_bruck>;

/// One allreduce of two numbers finds the smallest and the largest block of all ranks, and with
/// these all ranks choose alike (section 3.5): equal blocks as zeroBruckV_Alltoallv, but without
/// messages of sizes, as padded_Bruck_Alltoallv if the largest is at most twice the smallest, else
/// as zeroBruckV_Alltoallv.
BlockExchange exchange_by_chosen_bruck;
inline constexpr auto& chosen_Bruck_Alltoallv = bind_first<alltoallv_by, exchange_by_chosen_bruck>;

/// An all-to-all whose arguments are bound, with the datatypes and requests of all its rounds.
struct PersistentAlltoall;

/// Binds the arguments of zeroBruck_Alltoall, which is done with its datatypes then, so that they
/// cost nothing in the repeated part (section 3.4). Collective. Between init and free, `start` and
/// `wait` in turn perform the operation any number of times, on what the buffers then hold:
/// `start` begins the first round, `wait` does the others; all ranks do both in the same order with
/// respect to other collective calls. `free` sets the handle to null. Per use ceil(log2 p) rounds,
/// at most ceil(log2 p) floor(p/2) n bytes.
int persBruck_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            PersistentAlltoall** handle);
int persBruck_Alltoall_start(PersistentAlltoall* handle);
int persBruck_Alltoall_wait(PersistentAlltoall* handle);
int persBruck_Alltoall_free(PersistentAlltoall** handle);

/// The same for zeroBruckV_Alltoallv (section 3.5): init also finds the largest block and exchanges
/// the sizes, so that the repeated part has ceil(log2 p) rounds only. The arrays must not change
/// before `free`.
int persBruckV_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                              const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                              PersistentAlltoall** handle);
inline constexpr auto& persBruckV_Alltoallv_start = persBruck_Alltoall_start;
inline constexpr auto& persBruckV_Alltoallv_wait = persBruck_Alltoall_wait;
inline constexpr auto& persBruckV_Alltoallv_free = persBruck_Alltoall_free;

}  // namespace mpiaudit
