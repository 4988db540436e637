// SPDX-License-Identifier: BSD-3-Clause
// All-to-all algorithms with the signatures of MPI_Alltoall and MPI_Alltoallv. They take whatever
// these take: MPI_IN_PLACE (the input is copied first), different datatypes of equal signature on
// the two sides, blocks without data. Source, where no other is named: J. L. Träff, A. Rougier,
// S. Hunold, "Implementing a classic: zero-copy all-to-all communication with MPI datatypes", ICS
// 2014. Below, p is the number of ranks, n the bytes of one block, i the calling rank, and R the
// receive buffer as a vector of p blocks.
//
// The Bruck family takes ceil(log2 p) rounds. In round k a block moves if bit k of its index j is
// one, j being the number of ranks from its source to its destination: per rank one message of
// n * #{j < p : bit k of j is one} bytes, over all rounds at most ceil(log2 p) * floor(p/2) * n.
#pragma once

#include "../call/by.h"

namespace mpiaudit {

/// Gives every rank the blocks for it; what `send` has is not in the memory of `receive`.
using BlockExchange = int(const Blocks& send, const Blocks& receive, const Ranks& ranks);
int alltoall_by(BlockExchange exchange, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltoallv_by(BlockExchange exchange, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/// The elements that move in the round whose messages go `distance` = 2^k ranks far, committed.
/// Basic Bruck counts them from element `distance` of R on, Modified Bruck from element 0 on.
class RoundType;
class AlltoallElement;
using RoundTypeOf = RoundType(const Ranks& ranks, int distance, const AlltoallElement& element);
RoundTypeOf bounded_vector, indexed, circular_vector, indexed_block;
int exchange_by_basic_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                            const Ranks& ranks);
int exchange_by_modified_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                               const Ranks& ranks);

/// Shifts the input into R, sends in round k the blocks R[j] with bit k of j set, as a bounded
/// vector, to rank i + 2^k, unpacks what came, and reverses and shifts R at the end (section 3.1,
/// Theorem 1): ceil(log2 p) rounds, at most ceil(log2 p) floor(p/2) n bytes; MPI_ERR_COUNT if
/// p n >= 2 GiB, which MPI_Pack cannot count.
inline constexpr auto& basicBruck_Alltoall =
    by<alltoall_by, by<exchange_by_basic_bruck, bounded_vector>>;

/// As basicBruck_Alltoall, the blocks of a round described by an indexed type (section 3.1).
inline constexpr auto& basicBruck_ix_Alltoall =
    by<alltoall_by, by<exchange_by_basic_bruck, indexed>>;

/// Reverses and shifts the input into R, then sends in round k the blocks R[i + j] with bit k of j
/// set, as a circular vector, to rank i - 2^k, which unpacks them 2^k places lower, where they end
/// in place (sections 2 and 3.2, Theorem 2): ceil(log2 p) rounds, at most
/// ceil(log2 p) floor(p/2) n bytes; MPI_ERR_COUNT if floor(p/2) n >= 2 GiB, as above.
inline constexpr auto& modBruck_Alltoall =
    by<alltoall_by, by<exchange_by_modified_bruck, circular_vector>>;

/// As modBruck_Alltoall, every block of a round listed in an indexed-block type (sections 3.2, 4).
inline constexpr auto& modBruck_ix_Alltoall =
    by<alltoall_by, by<exchange_by_modified_bruck, indexed_block>>;

/// Moves blocks as modBruck_Alltoall does, but each straight from the send buffer, R or a buffer of
/// p blocks into R or that buffer, in turn, so that nothing is packed or copied between the rounds
/// (section 3.3, Listing 3): ceil(log2 p) rounds, at most ceil(log2 p) floor(p/2) n bytes.
BlockExchange exchange_by_zero_bruck;
inline constexpr auto& zeroBruck_Alltoall = by<alltoall_by, exchange_by_zero_bruck>;

/// As zeroBruck_Alltoall, the structured types with runs of up to 2^k and 2^k - 1 consecutive
/// blocks in place of single ones (section 3.3): the same rounds and bytes.
BlockExchange exchange_by_zero_bruck_blocks;
inline constexpr auto& zeroBruck_blocks_Alltoall = by<alltoall_by, exchange_by_zero_bruck_blocks>;

/// As zeroBruck_Alltoall, with at most floor(p/2) - 2 blocks of intermediate buffer: a block on its
/// way rests wherever R has a place that is not yet taken for good (answers the open question of
/// section 5, see docs/zero-copy-alltoall.md): the same rounds and bytes.
BlockExchange exchange_by_zero_bruck_half;
inline constexpr auto& zeroBruck_half_Alltoall = by<alltoall_by, exchange_by_zero_bruck_half>;

/// Sends every block straight to its rank, all at once, non-blocking, ranks i + 1, i + 2, ... in
/// this order (the straightforward algorithm of section 2): 1 round, p - 1 messages, (p - 1) n
/// bytes; none if n = 0.
BlockExchange exchange_at_once;
inline constexpr auto& direct_Alltoall = by<alltoall_by, exchange_at_once>;

/// Sends in round r = 1, ..., p - 1 the block for rank i + r to it and receives that of rank i - r
/// (R. Thakur, W. D. Gropp, R. Rabenseifner, "Improving the performance of collective operations in
/// MPICH", 2005): p - 1 rounds, (p - 1) n bytes; no messages if n = 0.
BlockExchange exchange_pairwise;
inline constexpr auto& pairwise_Alltoall = by<alltoall_by, exchange_pairwise>;

/// The ranks are a grid of f rows, f the largest divisor of p up to its root, and blocks go first
/// to the column of their destination and then to its row, all for one rank in one message: 2
/// rounds, f + p/f - 2 messages, (f - 1) p/f n + (p/f - 1) f n bytes, and a buffer of p blocks (J.
/// L. Träff, arXiv 2605.29970; of a prime number of ranks all messages are direct).
BlockExchange exchange_on_grid;
inline constexpr auto& factorised_Alltoall = by<alltoall_by, exchange_on_grid>;

/// Moves blocks as zeroBruck_blocks_Alltoall does, through two buffers of p - 1 buckets of the
/// largest block's size (an allreduce by recursive doubling finds it), the sizes of a round's
/// blocks sent ahead of them (section 3.5): 2 ceil(log2 p) rounds, per round #{j < p : bit k of j
/// is one} ints and the bytes of these blocks; nothing but the allreduce if no rank has data;
/// MPI_ERR_COUNT on all ranks if some block has 2 GiB or more.
BlockExchange exchange_by_irregular_zero_bruck;
inline constexpr auto& zeroBruckV_Alltoallv = by<alltoallv_by, exchange_by_irregular_zero_bruck>;

/// As direct_Alltoall: 1 round, one message for every other rank whose block has data.
inline constexpr auto& direct_Alltoallv = by<alltoallv_by, exchange_at_once>;

/// As direct_Alltoall, but with no more than 32 messages to others, and 32 from others, under way:
/// all of these are waited for before the next are started (MPICH, "scattered").
BlockExchange exchange_in_windows;
inline constexpr auto& windowed_Alltoall = by<alltoall_by, exchange_in_windows>;
/// windowed_Alltoall with irregular blocks; those without data are not sent.
inline constexpr auto& windowed_Alltoallv = by<alltoallv_by, exchange_in_windows>;

/// As pairwise_Alltoall: p - 1 rounds, one message for every other rank whose block has data.
inline constexpr auto& pairwise_Alltoallv = by<alltoallv_by, exchange_pairwise>;

/// A block moves by the digits of the distance to its destination, all blocks with the same digit
/// in one message; a message with their sizes goes ahead (Fan et al., "Optimizing the Bruck
/// algorithm for non-uniform all-to-all communication", HPDC 2022, here with memory only for blocks
/// that are on their way). With binary digits, 2 ceil(log2 p) rounds, a block moving as often as
/// its distance has ones.
BlockExchange exchange_in_two_phases;
inline constexpr auto& two_phase_Bruck_Alltoallv = by<alltoallv_by, exchange_in_two_phases>;
/// The same with digits to the base ceil(sqrt(p)) (Fan et al., "Configurable non-uniform all-to-all
/// algorithms", arXiv 2411.02581): at most 4 (ceil(sqrt(p)) - 1) rounds, a block moving at most
/// twice.
BlockExchange exchange_by_root_radix;
inline constexpr auto& root_radix_Bruck_Alltoallv = by<alltoallv_by, exchange_by_root_radix>;

/// modBruck_Alltoall with every block padded to the largest (an allreduce by recursive doubling
/// finds it): ceil(log2 p) rounds without sizes ahead (Fan et al., HPDC 2022). MPI_ERR_COUNT on all
/// ranks if the largest has 2 GiB or more, or a round has.
BlockExchange exchange_padded;
inline constexpr auto& padded_Bruck_Alltoallv = by<alltoallv_by, exchange_padded>;

/// One allreduce of two numbers finds the smallest and the largest block of all ranks, and with
/// these all ranks choose alike (section 3.5): equal blocks as zeroBruckV_Alltoallv, but without
/// messages of sizes, as padded_Bruck_Alltoallv if the largest is at most twice the smallest, else
/// as zeroBruckV_Alltoallv.
BlockExchange exchange_by_chosen_bruck;
inline constexpr auto& chosen_Bruck_Alltoallv = by<alltoallv_by, exchange_by_chosen_bruck>;

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
