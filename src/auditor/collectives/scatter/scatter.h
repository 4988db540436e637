// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

/// Scatter algorithms with the signature of their MPI counterpart, to be called instead of it. They
/// accept what it accepts on intracommunicators: any root, counts of zero, any committed datatype,
/// different datatypes of equal signature on the two sides, MPI_IN_PLACE at the root; arguments
/// that are significant at the root only are not read elsewhere. Messages travel on a duplicate of
/// `comm` and cannot meet the caller's; errors of the MPI calls inside go to its error handler,
/// which is that of `comm`. A function with an argument more than MPI's has it at the end.
/// "Träff 2017" is "Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather and
/// Scatter".
namespace mpiaudit {

/// The root sends every rank its block directly.
int linear_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm);

/// Blocks move down a fixed binomial tree over the ranks relative to the root whatever their sizes,
/// which travel up ahead (the oblivious tree of Träff 2017, section 1).
int binomial_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                      MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                      int root, MPI_Comm comm);

/// As binomial_Scatterv with a k-nomial tree, in which a rank splits its data into radix parts in
/// every round; radix >= 2.
int knomial_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                     MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                     int root, MPI_Comm comm, int radix);

/// knomial_Scatterv with radix 4: half the rounds of the binomial tree.
int knomial_Scatterv_radix4(const void* sendbuf, const int sendcounts[], const int displs[],
                            MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move down the ordered binomial tree of TUW_Gatherv, the largest cube first (Träff 2017,
/// section 2).
int TUW_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm);

/// As TUW_Scatterv over a tree of ceil(log_(k+1) p) rounds in which k + 1 adjacent cubes join, for
/// systems where a rank uses k = `ports` ports at once (Träff 2017, remark after Theorem 1);
/// ports >= 1.
int TUW_Scatterv_kported(const void* sendbuf, const int sendcounts[], const int displs[],
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         int root, MPI_Comm comm, int ports);

/// TUW_Scatterv_kported for 2 ports: a cube splits in three per round.
int TUW_Scatterv_k2(const void* sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm);

/// TUW_Scatterv_kported for 3 ports: a cube splits in four per round.
int TUW_Scatterv_k3(const void* sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm);

/// As TUW_Scatterv, but the root sends a subtree of at least `threshold_bytes` its data directly,
/// after that has announced its ranks (graceful degradation, the mirror of
/// TUW_Gatherv_degrading_at). The threshold is the same on all ranks.
int TUW_Scatterv_degrading_at(const void* sendbuf, const int sendcounts[], const int displs[],
                              MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, int root, MPI_Comm comm,
                              std::int64_t threshold_bytes);

/// TUW_Scatterv_degrading_at with the threshold of TUW_Gatherv_degrading: small blocks move down
/// the ordered tree, large subtrees get theirs directly from the root.
int TUW_Scatterv_degrading(const void* sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm);

/// As TUW_Scatterv from a root that the algorithm chooses, so that no rank ever waits for a slower
/// subtree (Träff 2017, Lemma 1, mirrored), and tells all ranks in `root`. For data that any rank
/// has or can read: the send arguments are significant everywhere, though only one rank's are used;
/// no MPI_IN_PLACE.
int TUW_Scatterv_free_root(const void* sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int* root, MPI_Comm comm);

/// The root sends every rank its block directly.
int linear_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move down a fixed binomial tree over the ranks relative to the root (Träff 2017,
/// section 1).
int binomial_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move down a fixed k-nomial tree over the ranks relative to the root, in which a rank
/// splits its data into radix parts in every round; radix >= 2.
int knomial_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, int radix);

/// knomial_Scatter with radix 4: half the rounds of the binomial tree.
int knomial_Scatter_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move down the ordered tree for equal blocks, which every rank knows without communication
/// (Träff 2017, section 2).
int TUW_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

}  // namespace mpiaudit
