// SPDX-License-Identifier: BSD-3-Clause
// All-to-all algorithms with the signatures of MPI_Alltoall and MPI_Alltoallv. They take whatever
// these take: MPI_IN_PLACE (the input is copied first), different datatypes of equal signature on
// the two sides, blocks without data. Source, where no other is named: J. L. Träff, A. Rougier,
// S. Hunold, "Implementing a classic: zero-copy all-to-all communication with MPI datatypes", ICS
// 2014. Below, p is the number of ranks, n the bytes of one block, i the calling rank, and R the
// receive buffer as a vector of p blocks.
//
// Bruck's algorithm takes ceil(log2 p) rounds. In round k a block moves if bit k of its index j is
// one, j being the number of ranks from its source to its destination: per rank one message of
// n * #{j < p : bit k of j is one} bytes, over all rounds at most ceil(log2 p) * floor(p/2) * n.
#pragma once

#include "../call/bind_first.h"

namespace mpiaudit {

/// Gives every rank the blocks for it; what `send` has is not in the memory of `receive`.
using BlockExchange = int(const Blocks& send, const Blocks& receive, const Ranks& ranks);
int alltoall_by(BlockExchange exchange, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltoallv_by(BlockExchange exchange, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/// Of blocks with types of their own: each message is of a single block.
int alltoallw_by(BlockExchange exchange, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                 const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                 MPI_Comm comm);

/// The elements that move in the round whose messages go `distance` = 2^k ranks far, committed.
/// Basic Bruck counts them from element `distance` of R on, Modified Bruck from element 0 on.
class RoundType;
class AlltoallElement;
using RoundTypeOf = RoundType(const Ranks& ranks, int distance, const AlltoallElement& element);
RoundTypeOf indexed_block;
int exchange_by_modified_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                               const Ranks& ranks);

/// Reverses and shifts the input into R, then sends in round k the blocks R[i + j] with bit k of j
/// set, each listed in an indexed-block type, to rank i - 2^k, which unpacks them 2^k places lower,
/// where they end in place (sections 2, 3.2 and 4, Theorem 2): ceil(log2 p) rounds, at most
/// ceil(log2 p) floor(p/2) n bytes; MPI_ERR_COUNT if floor(p/2) n >= 2 GiB, which MPI_Pack cannot
/// count.
inline constexpr auto& modBruck_ix_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_modified_bruck, indexed_block>>;

/// Sends every block straight to its rank, all at once, non-blocking, ranks i + 1, i + 2, ... in
/// this order (the straightforward algorithm of section 2): 1 round, p - 1 messages, (p - 1) n
/// bytes; none if n = 0.
BlockExchange exchange_at_once;
inline constexpr auto& direct_Alltoall = bind_first<alltoall_by, exchange_at_once>;

/// Sends in round r = 1, ..., p - 1 the block for rank i + r to it and receives that of rank i - r
/// (R. Thakur, W. D. Gropp, R. Rabenseifner, "Improving the performance of collective operations in
/// MPICH", 2005): p - 1 rounds, (p - 1) n bytes; no messages if n = 0.
BlockExchange exchange_pairwise;
inline constexpr auto& pairwise_Alltoall = bind_first<alltoall_by, exchange_pairwise>;

/// The ranks are a grid of f rows, f the largest divisor of p up to its root, and blocks go first
/// to the column of their destination and then to its row, all for one rank in one message: 2
/// rounds, f + p/f - 2 messages, (f - 1) p/f n + (p/f - 1) f n bytes, and a buffer of p blocks (J.
/// L. Träff, arXiv 2605.29970; of a prime number of ranks all messages are direct).
BlockExchange exchange_on_grid;
inline constexpr auto& factorised_Alltoall = bind_first<alltoall_by, exchange_on_grid>;

/// As direct_Alltoall: 1 round, one message for every other rank whose block has data.
inline constexpr auto& direct_Alltoallv = bind_first<alltoallv_by, exchange_at_once>;

/// As direct_Alltoall, but with no more than 32 messages to others, and 32 from others, under way:
/// all of these are waited for before the next are started (MPICH, "scattered").
BlockExchange exchange_in_windows;
inline constexpr auto& windowed_Alltoall = bind_first<alltoall_by, exchange_in_windows>;
/// windowed_Alltoall with irregular blocks; those without data are not sent.
inline constexpr auto& windowed_Alltoallv = bind_first<alltoallv_by, exchange_in_windows>;

/// As pairwise_Alltoall: p - 1 rounds, one message for every other rank whose block has data.
inline constexpr auto& pairwise_Alltoallv = bind_first<alltoallv_by, exchange_pairwise>;

/// A block moves by the digits of the distance to its destination, all blocks with the same digit
/// in one message; a message with their sizes goes ahead (Fan et al., "Optimizing the Bruck
/// algorithm for non-uniform all-to-all communication", HPDC 2022, here with memory only for blocks
/// that are on their way). With binary digits, 2 ceil(log2 p) rounds, a block moving as often as
/// its distance has ones.
BlockExchange exchange_in_two_phases;
inline constexpr auto& two_phase_Bruck_Alltoallv = bind_first<alltoallv_by, exchange_in_two_phases>;
/// The same with digits to the base ceil(sqrt(p)) (Fan et al., "Configurable non-uniform all-to-all
/// algorithms", arXiv 2411.02581): at most 4 (ceil(sqrt(p)) - 1) rounds, a block moving at most
/// twice.
BlockExchange exchange_by_root_radix;
inline constexpr auto& root_radix_Bruck_Alltoallv =
    bind_first<alltoallv_by, exchange_by_root_radix>;

/// modBruck_ix_Alltoall with every block padded to the largest (an allreduce by recursive doubling
/// finds it): ceil(log2 p) rounds without sizes ahead (Fan et al., HPDC 2022). MPI_ERR_COUNT on all
/// ranks if the largest has 2 GiB or more, or a round has.
BlockExchange exchange_padded;
inline constexpr auto& padded_Bruck_Alltoallv = bind_first<alltoallv_by, exchange_padded>;

}  // namespace mpiaudit
