// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

// Reduce-scatter algorithms with the signatures of MPI_Reduce_scatter and MPI_Reduce_scatter_block;
// p processes, vectors of n bytes in all, blocks of m = n/p bytes for the formulas, lg is the
// logarithm to base 2, q the largest power of two that is at most p. MPI_ERR_COUNT where an int
// does not count the elements in all, but for pairwise exchange, which never has more than one
// block at once. "Thakur & Gropp" is "Improving the Performance of Collective Operations in MPICH",
// EuroPVM/MPI 2003.
//
//                      rounds                      bytes sent by a process
// recursive halving    lg q, and 2 more if p > q   (p-1) m; of p - q processes n
// near first           ceil(lg p)                  n minus its own block
// circulant            ceil(lg p)                  n minus its own block
// Bine                 lg q, and 2 more if p > q   as recursive halving
// butterfly            lg q, and 2 more if p > q   as recursive halving
// recursive doubling   lg p if p is a power of 2,  p a power of 2: n lg p - (p-1) m
//                      else at most 2 ceil(lg p)
// pairwise exchange    p-1                         n minus its own block
// reduce + scatterv    ceil(lg p) + p-1            n, process 0: n minus its own block
namespace mpiaudit {

/// In round k a process gives its half of the vector that the other half of its subtree needs to
/// the process p/2^k away and combines what it gets for its own half; p - q processes first hand
/// their operands to a neighbour (Thakur & Gropp 4.3). Commutative operators only.
int recursive_halving_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// recursive_halving_Reduce_scatter with equal blocks.
int recursive_halving_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// In round d = 1, 2, 4, ... a process gives the process d before it what it has reduced of the
/// blocks d, 3d, 5d, ... before its own: the rounds of sparbit_Allgather backwards, half of the
/// vector between neighbours. Commutative operators only.
int near_first_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// near_first_Reduce_scatter with equal blocks.
int near_first_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// A process gives the process s = ceil(p/2) after it the blocks from that one's on, and goes on in
/// the same way with half as large an s (Träff, "Optimal, non-pipelined reduce-scatter and
/// allreduce algorithms", arXiv 2410.14234). Commutative operators only.
int circulant_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// circulant_Reduce_scatter with equal blocks.
int circulant_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// Processes at distance 1, 2, 4, ... give each other the half that the other needs, of blocks in
/// an order with the bits of the ranks reversed; p - q processes first hand their operands to a
/// neighbour (Träff, "An improved algorithm for (non-commutative) reduce-scatter with an
/// application", EuroPVM/MPI 2005). Keeps the order of the ranks.
int butterfly_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// butterfly_Reduce_scatter with equal blocks.
int butterfly_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// Processes at distance 1, 2, 4, ... exchange what they have reduced, all but the blocks of their
/// own half of the subtree (Thakur & Gropp 4.3). Keeps the order of the ranks.
int recursive_doubling_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// recursive_doubling_Reduce_scatter with equal blocks.
int recursive_doubling_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// In step i every process sends the process i after it the operands of that one's block and
/// combines what it receives from the process i before it (Thakur & Gropp 4.3). Keeps the order of
/// the ranks, with one more block of memory where the operator does not commute.
int pairwise_exchange_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// pairwise_exchange_Reduce_scatter with equal blocks.
int pairwise_exchange_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// The vector is reduced to process 0 in a binomial tree, which sends the others their blocks one
/// after the other (Thakur & Gropp 4.3, the old algorithm). Keeps the order of the ranks.
int reduce_scatterv_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// reduce_scatterv_Reduce_scatter with equal blocks.
int reduce_scatterv_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// Recursive halving below 512 KiB in all for commutative operators, recursive doubling below 512
/// bytes for others, else pairwise exchange (Thakur & Gropp 4.3). Keeps the order of the ranks.
int MPICH2004_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// MPICH2004_Reduce_scatter with equal blocks.
int MPICH2004_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// In the rounds of swing_Allreduce a process gives the blocks away that its partner's partners
/// will need; p - q processes first hand their operands to a neighbour (De Sensi et al., "Bine
/// Trees", SC 2025, arXiv 2508.17311). Commutative operators only.
int bine_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int bine_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

}  // namespace mpiaudit
