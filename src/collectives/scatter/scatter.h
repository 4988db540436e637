// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

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
