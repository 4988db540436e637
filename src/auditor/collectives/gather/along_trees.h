// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "../call/by.h"

namespace mpiaudit {

struct RootedCall;
struct GatherNode;

/// This rank's node of the tree along which the blocks of a gather or scatter move.
using TreeOf = GatherNode (*)(const RootedCall&);

namespace trees {
/// The star: every other rank is a child of the root.
GatherNode linear(const RootedCall& call);
/// A fixed tree over the ranks relative to the root, whatever the block sizes: radix - 1 subtrees
/// join a rank's in every round (Traeff 2017, section 1; radix 2: binomial).
template <int radix>
GatherNode knomial(const RootedCall& call);
/// The same in two levels, the ranks of a node, then the nodes, where every node has as many.
template <int radix>
GatherNode on_nodes(const RootedCall& call);
/// The ordered tree, in which of `radix` adjacent cubes those that are ready earlier send (Traeff
/// 2017, Lemmas 1 to 3); for equal blocks every rank knows it without communication.
template <int radix>
GatherNode ordered(const RootedCall& call);
}  // namespace trees

int gather_along(TreeOf tree, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gatherv_along(TreeOf tree, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  int root, MPI_Comm comm);
int scatter_along(TreeOf tree, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int scatterv_along(TreeOf tree, const void* sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm);

}  // namespace mpiaudit
