// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

/// Gather algorithms with the signature of their MPI counterpart, to be called instead of it. They
/// accept what it accepts on intracommunicators: any root, counts of zero, any committed datatype,
/// different datatypes of equal signature on the two sides, MPI_IN_PLACE at the root; arguments
/// that are significant at the root only are not read elsewhere. Messages travel on a duplicate of
/// `comm` and cannot meet the caller's; errors of the MPI calls inside go to its error handler,
/// which is that of `comm`. A function with an argument more than MPI's has it at the end.
/// "Träff 2017" is "Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather and
/// Scatter".
namespace mpiaudit {

/// Every rank sends its block directly to the root, which posts all receives at once (the linear
/// algorithm of Träff 2017, section 1).
int linear_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm);

/// Blocks move up a fixed binomial tree over the ranks relative to the root whatever their sizes,
/// which travel ahead (the oblivious tree of Träff 2017, section 1).
int binomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                     MPI_Comm comm);

/// As binomial_Gatherv with a k-nomial tree, in which radix - 1 subtrees join a rank's in every
/// round (the k-nomial MPI_Gatherv of Intel MPI in Träff 2017, section 5); radix >= 2.
int knomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                    MPI_Comm comm, int radix);

/// knomial_Gatherv with radix 4: half the rounds of the binomial tree.
int knomial_Gatherv_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                           int root, MPI_Comm comm);

/// As knomial_Gatherv over a tree of two levels, where every node has as many consecutive ranks:
/// the ranks of a node, then the nodes (the topology-aware algorithms of Intel MPI in Träff 2017,
/// section 5). The first call with a communicator finds out on which nodes its ranks are.
int node_knomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm, int radix);

/// node_knomial_Gatherv with radix 2.
int node_binomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int root, MPI_Comm comm);

/// node_knomial_Gatherv with radix 4.
int node_knomial_Gatherv_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int displs[],
                                MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move up an ordered binomial tree that the ranks agree on from the block sizes, in which
/// of two adjacent cubes the one that is ready earlier sends (Träff 2017, Lemmas 1 to 3).
int TUW_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                MPI_Comm comm);

/// As long as a message that MPI libraries send without asking the receiver.
inline constexpr std::int64_t carried_bytes = 4096;

/// As TUW_Gatherv, but the blocks of a cube that are at most `most_bytes` together travel with the
/// construction of the tree, to the rank that speaks for the joined cube: small blocks need no
/// further round, and a cube that meets the root's no answer. docs/cost-model.md has the bound.
/// The limit is the same on all ranks, and no more than carried_bytes.
int TUW_Gatherv_carrying_at(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, int root, MPI_Comm comm,
                            std::int64_t most_bytes);

/// TUW_Gatherv_carrying_at carried_bytes.
int TUW_Gatherv_carrying(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm);

/// As TUW_Gatherv in ceil(log_(k+1) p) rounds in which k + 1 adjacent cubes join, for systems where
/// a rank uses k = `ports` ports at once (Träff 2017, remark after Theorem 1); ports >= 1.
int TUW_Gatherv_kported(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm, int ports);

/// TUW_Gatherv_kported for 2 ports: three cubes join per round.
int TUW_Gatherv_k2(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm);

/// TUW_Gatherv_kported for 3 ports: four cubes join per round.
int TUW_Gatherv_k3(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm);

/// As TUW_Gatherv, but a subtree of at least `threshold_bytes` sends its data directly to the root,
/// to which it announces its ranks (graceful degradation: Träff 2017, section 3, where it is
/// proposed). The threshold is the same on all ranks.
int TUW_Gatherv_degrading_at(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, int root, MPI_Comm comm,
                             std::int64_t threshold_bytes);

/// The time to send as much once more is then several times the start-up that it saves: 6.5
/// microseconds at 10 GB/s, where a start-up takes one or two.
inline constexpr std::int64_t default_degrading_threshold_bytes = 65536;

/// TUW_Gatherv_degrading_at default_degrading_threshold_bytes: small blocks move up the ordered
/// tree, large subtrees go directly to the root.
int TUW_Gatherv_degrading(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int root, MPI_Comm comm);

/// As TUW_Gatherv to a root that the algorithm chooses, so that no rank ever waits for a slower
/// subtree (Träff 2017, Lemma 1), and tells all ranks in `root`. Any rank may become it: the
/// receive arguments are significant everywhere, though only one rank's are used; no MPI_IN_PLACE.
int TUW_Gatherv_free_root(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int* root, MPI_Comm comm);

/// Every rank sends its block directly to the root, which posts all receives at once.
int linear_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move up a fixed binomial tree over the ranks relative to the root (Träff 2017,
/// section 1).
int binomial_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Blocks move up a fixed k-nomial tree over the ranks relative to the root, in which radix - 1
/// subtrees join a rank's in every round; radix >= 2.
int knomial_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, int radix);

/// knomial_Gather with radix 4: half the rounds of the binomial tree.
int knomial_Gather_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// node_knomial_Gatherv for blocks of equal size.
int node_knomial_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, int radix);

/// node_knomial_Gather with radix 2.
int node_binomial_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// node_knomial_Gather with radix 4.
int node_knomial_Gather_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                               MPI_Comm comm);

/// Blocks move up the binomial tree in segments of as many whole blocks as fit into
/// `segment_bytes`, at least one, and a rank passes a segment on as soon as it is complete: the
/// order of blocks is kept and no element is cut ("binomial with segmentation" in Träff 2017,
/// section 5). The segment size is the same on all ranks.
int segmented_binomial_Gather_by(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                 MPI_Comm comm, std::int64_t segment_bytes);

inline constexpr std::int64_t default_gather_segment_bytes = 65536;

/// segmented_binomial_Gather_by default_gather_segment_bytes.
int segmented_binomial_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                              MPI_Comm comm);

/// Blocks move up the ordered tree for equal blocks, which every rank knows without communication
/// (Träff 2017, Lemma 2 and remark after Theorem 1).
int TUW_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// Partial results move up the ordered tree for equal blocks, each the reduction of consecutive
/// ranks in rank order, so that it fits any associative operator, commutative or not (Träff 2017,
/// remark after Theorem 1).
int TUW_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm);

/// Partial results without their neutral elements move up the ordered tree that is built from how
/// many there are of the others, each the reduction of consecutive ranks in rank order (Träff 2017,
/// last remark: problem-dependent trees for sparse reductions). `neutral` is one element, the same
/// on all ranks, that changes nothing on either side of the operator; what equals it bit by bit is
/// not sent.
int TUW_Reduce_sparse(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, int root, MPI_Comm comm, const void* neutral);

}  // namespace mpiaudit
