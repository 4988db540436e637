// SPDX-License-Identifier: BSD-3-Clause
// All-to-all algorithms with the signatures of MPI_Alltoall and MPI_Alltoallv. They accept all
// valid arguments: MPI_IN_PLACE (the input is copied first), different datatypes of equal signature
// on the two sides, blocks without data. Source, unless another one is named: J. L. Träff, A.
// Rougier, S. Hunold, "Implementing a classic: zero-copy all-to-all communication with MPI
// datatypes", ICS 2014. Below, p is the number of ranks, n the bytes of one block, i the calling
// rank, and R the receive buffer as a vector of p blocks.
//
// Bruck's algorithm takes ceil(log2 p) rounds. In round k a block moves if bit k of its index j is
// one, j being the number of ranks from its source to its destination: per rank one message of n *
// #{j < p : bit k of j is one} bytes, over all rounds at most ceil(log2 p) * floor(p/2) * n.
#pragma once

#include "../call/bind_first.h"

namespace mpiaudit {

/// Gives every rank its blocks. The memory of `send` and `receive` does not overlap.
using BlockExchange = int(const Blocks& send, const Blocks& receive, const Ranks& ranks);
int alltoall_by(BlockExchange exchange, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int alltoallv_by(BlockExchange exchange, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/// Implements MPI_Alltoallw, whose blocks have their own datatypes: each message contains a single
/// block.
int alltoallw_by(BlockExchange exchange, const void* sendbuf, const int sendcounts[],
                 const int sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                 const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                 MPI_Comm comm);

/// The committed datatype of the elements that move by `distance` = 2^k ranks in a round. Its
/// origin is element 0 of R in Modified Bruck, and element `distance` of R in Basic Bruck
/// (src/papers).
class RoundType;
class AlltoallElement;
using RoundTypeOf = RoundType(const Ranks& ranks, int distance, const AlltoallElement& element);
RoundTypeOf indexed_block;
int exchange_by_modified_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                               const Ranks& ranks);

/// Reverses and shifts the input into R, then sends in round k the blocks R[i + j] with bit k of j
/// set, listed in an indexed-block type, to rank i - 2^k, which unpacks them 2^k places lower,
/// their final places (sections 2, 3.2 and 4, Theorem 2): ceil(log2 p) rounds, at most ceil(log2 p)
/// floor(p/2) n bytes; MPI_ERR_COUNT if floor(p/2) n >= 2 GiB, which MPI_Pack cannot count.
inline constexpr auto& modBruck_ix_Alltoall =
    bind_first<alltoall_by, bind_first<exchange_by_modified_bruck, indexed_block>>;

/// Sends every block directly to its rank, all at once, non-blocking, to ranks i + 1, i + 2, ... in
/// this order (the straightforward algorithm of section 2): 1 round, p - 1 messages, (p - 1) n
/// bytes; none if n = 0.
BlockExchange exchange_at_once;
inline constexpr auto& direct_Alltoall = bind_first<alltoall_by, exchange_at_once>;

/// Sends in round r = 1, ..., p - 1 the block for rank i + r and receives that of rank i - r (R.
/// Thakur, W. D. Gropp, R. Rabenseifner, "Improving the performance of collective operations in
/// MPICH", 2005): p - 1 rounds, (p - 1) n bytes; no messages if n = 0.
BlockExchange exchange_pairwise;
inline constexpr auto& pairwise_Alltoall = bind_first<alltoall_by, exchange_pairwise>;

/// The ranks form a grid of f rows, f being the largest divisor of p up to sqrt(p). A rank sends
/// all blocks for one column in one message, then all blocks for one row: 2 rounds, f + p/f - 2
/// messages, (f - 1) p/f n + (p/f - 1) f n bytes, and a buffer of p blocks (J. L. Träff, arXiv
/// 2605.29970; all messages are direct if p is prime). Returns MPI_ERR_COUNT if the receive buffer
/// has more than INT_MAX elements. All blocks have the same count and datatype.
BlockExchange exchange_on_grid;
inline constexpr auto& factorised_Alltoall = bind_first<alltoall_by, exchange_on_grid>;

/// direct_Alltoall with irregular blocks: 1 round, one message for every other rank whose block has
/// data.
inline constexpr auto& direct_Alltoallv = bind_first<alltoallv_by, exchange_at_once>;

/// Like direct_Alltoall, but sends and receives at most 32 messages at a time, and starts the next
/// 32 after all have ended (MPICH, "scattered").
BlockExchange exchange_in_windows;
inline constexpr auto& windowed_Alltoall = bind_first<alltoall_by, exchange_in_windows>;
/// windowed_Alltoall with irregular blocks; blocks without data are not sent.
inline constexpr auto& windowed_Alltoallv = bind_first<alltoallv_by, exchange_in_windows>;

/// pairwise_Alltoall with irregular blocks: p - 1 rounds, one message for every other rank whose
/// block has data.
inline constexpr auto& pairwise_Alltoallv = bind_first<alltoallv_by, exchange_pairwise>;

/// A block moves by the digits of the distance to its destination, all blocks with an equal digit
/// in one message; a message with their sizes precedes them (Fan et al., "Optimizing the Bruck
/// algorithm for non-uniform all-to-all communication", HPDC 2022, here with memory only for moving
/// blocks). Binary digits: 2 ceil(log2 p) rounds; a block moves as often as its distance has ones.
BlockExchange exchange_in_two_phases;
inline constexpr auto& two_phase_Bruck_Alltoallv = bind_first<alltoallv_by, exchange_in_two_phases>;
/// two_phase_Bruck_Alltoallv with digits to the base ceil(sqrt(p)) (Fan et al., "Configurable
/// non-uniform all-to-all algorithms", arXiv 2411.02581): at most 4 (ceil(sqrt(p)) - 1) rounds; a
/// block moves at most twice.
BlockExchange exchange_by_root_radix;
inline constexpr auto& root_radix_Bruck_Alltoallv =
    bind_first<alltoallv_by, exchange_by_root_radix>;

/// modBruck_ix_Alltoall with every block padded to the largest one, found by an allreduce:
/// ceil(log2 p) rounds without messages of sizes (Fan et al., HPDC 2022). Returns MPI_ERR_COUNT on
/// all ranks if the largest block or a round has 2 GiB or more.
BlockExchange exchange_padded;
inline constexpr auto& padded_Bruck_Alltoallv = bind_first<alltoallv_by, exchange_padded>;

}  // namespace mpiaudit
