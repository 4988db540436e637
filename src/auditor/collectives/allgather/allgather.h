// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Allgather algorithms with the signatures of MPI_Allgather and MPI_Allgatherv; p processes, blocks
// of m bytes, n bytes in all, lg is the logarithm to base 2, q the largest power of two that is at
// most p. "Thakur & Gropp" is "Improving the
// Performance of Collective Operations in MPICH", EuroPVM/MPI 2003.
//
//                      rounds                      bytes sent by a process, regular case
// ring                 p-1                         (p-1) m
// recursive doubling   lg p if p is a power of 2,  (p-1) m if p is a power of 2, else (p-1) m on
//                      else at most 2 ceil(lg p)   the average, and (p-1) m received by each
// dissemination        ceil(lg p)                  (p-1) m
// dissemination, k = 4 3 ceil(log4 p) at most     (p-1) m
// sparbit              ceil(lg p)                  (p-1) m
// neighbour exchange   p/2, p odd: p-1             (p-1) m
// k-ring               p-1                         (p-1) m
// Bine                 lg q; 2 more if p > q       p = q: (p-1) m; else p - q processes m, their
//                                                  neighbours n more than the others
// circulant, b parts   ceil(lg p) + b-1            n minus a block
// simple               2 (p-1) - 1, as all begin   (p-1) m
//                      with the same destination
// spreading simple     p-1                         (p-1) m
// gather + bcast       2 ceil(lg p)                the blocks of its subtree (not process 0), and n
//                                                  to each child; process 0: n ceil(lg p)
//
// Recursive doubling takes ceil(lg p) rounds and, for every bit 2^i of p with h = p mod 2^i > 0, at
// most ceil(lg(2^i / h)) more. The ring of irregular blocks sends n minus the block of the right
// neighbour.
//
// Messages go between the blocks' places in the receive buffer; ranges of blocks that are not
// consecutive there are sent and received with a derived datatype, made in the call.
namespace mpiaudit {

/// Implement MPI_Allgather and MPI_Allgatherv by a Replicate algorithm: copy the caller's
/// contribution to its place, unless MPI_IN_PLACE, and run the algorithm.
int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm);

/// Every process passes to its right neighbour in step k = 1, ..., p-1 the block received in the
/// preceding step, first its own (Thakur & Gropp 4.1).
Replicate replicate_by_ring;
inline constexpr auto& ring_Allgather = bind_first<allgather_by, replicate_by_ring>;
inline constexpr auto& ring_Allgatherv = bind_first<allgatherv_by, replicate_by_ring>;

/// Processes at distance 1, 2, 4, ... exchange all their blocks. If p is no power of two,
/// some processes have no partner; processes in the same half of the subtree send them the blocks
/// (Thakur & Gropp 4.1).
Replicate replicate_by_recursive_doubling;
inline constexpr auto& recursive_doubling_Allgather =
    bind_first<allgather_by, replicate_by_recursive_doubling>;
inline constexpr auto& recursive_doubling_Allgatherv =
    bind_first<allgatherv_by, replicate_by_recursive_doubling>;

/// A process sends its blocks to the process 2^k after it in round k; the last round sends only the
/// missing blocks (Bruck et al. 1997; Benson et al. 2003).
Replicate replicate_by_dissemination;
inline constexpr auto& dissemination_Allgather =
    bind_first<allgather_by, replicate_by_dissemination>;
inline constexpr auto& dissemination_Allgatherv =
    bind_first<allgatherv_by, replicate_by_dissemination>;

/// Dissemination with three messages at a time, to the processes at distance d, 2d and 3d: log4 p
/// rounds (Bruck et al. 1997, with more ports; k-Bruck in MPICH and Open MPI).
Replicate replicate_by_radix4_dissemination;
inline constexpr auto& dissemination_Allgather_radix4 =
    bind_first<allgather_by, replicate_by_radix4_dissemination>;
inline constexpr auto& dissemination_Allgatherv_radix4 =
    bind_first<allgatherv_by, replicate_by_radix4_dissemination>;

/// A process sends its own block and those of the processes 2d, 4d, ... before it to the process d
/// after it, in rounds with d = 2^(ceil(lg p)-1), ..., 2, 1: one block travels far, half of all
/// blocks to the neighbour (Loch & Koslovski, "Sparbit", SBAC-PAD 2021, with one message per
/// round).
Replicate replicate_by_sparbit;
inline constexpr auto& sparbit_Allgather = bind_first<allgather_by, replicate_by_sparbit>;
inline constexpr auto& sparbit_Allgatherv = bind_first<allgatherv_by, replicate_by_sparbit>;

/// sparbit_Allgather with one message per block, as published and as in Open MPI.
Replicate replicate_by_sparbit_in_blocks;
inline constexpr auto& sparbit_blocks_Allgather =
    bind_first<allgather_by, replicate_by_sparbit_in_blocks>;
inline constexpr auto& sparbit_blocks_Allgatherv =
    bind_first<allgatherv_by, replicate_by_sparbit_in_blocks>;

/// A process exchanges blocks with its left and right neighbours alternately. In the first step a
/// process sends its own block, later the two blocks that it received last. Uses the ring for odd p
/// (Chen, Zhang, Zhang & Yuan, "Performance evaluation of allgather algorithms on terascale Linux
/// cluster with fast Ethernet", 2005).
Replicate replicate_by_neighbour_exchange;
inline constexpr auto& neighbour_exchange_Allgather =
    bind_first<allgather_by, replicate_by_neighbour_exchange>;
inline constexpr auto& neighbour_exchange_Allgatherv =
    bind_first<allgatherv_by, replicate_by_neighbour_exchange>;

/// Runs circulant_Bcast from all processes at once, every block cut into an equal number of parts:
/// the time hardly depends on the distribution of block sizes (Träff, arXiv 2205.10072 and
/// 2407.18004). One part gives a dissemination.
Replicate replicate_by_circulant_broadcasts;
inline constexpr auto& circulant_Allgatherv =
    bind_first<allgatherv_by, replicate_by_circulant_broadcasts>;

/// Every process posts all receives and sends its block to all others in the order of their ranks
/// (Faraj & Yuan 2005).
Replicate replicate_at_once;
inline constexpr auto& simple_Allgather = bind_first<allgather_by, replicate_at_once>;
inline constexpr auto& simple_Allgatherv = bind_first<allgatherv_by, replicate_at_once>;

/// Every process sends its own block to the process i after it and receives from the process i
/// before it, in steps i = 1, ..., p-1 (Faraj & Yuan 2005).
Replicate replicate_spreading;
inline constexpr auto& spreading_simple_Allgather = bind_first<allgather_by, replicate_spreading>;
inline constexpr auto& spreading_simple_Allgatherv = bind_first<allgatherv_by, replicate_spreading>;

/// Gathers the blocks on process 0 in a binomial tree, and broadcasts all of them in a binomial
/// tree (the composition MPI_Gather + MPI_Bcast).
Replicate replicate_by_root;
inline constexpr auto& gather_bcast_Allgather = bind_first<allgather_by, replicate_by_root>;
inline constexpr auto& gather_bcast_Allgatherv = bind_first<allgatherv_by, replicate_by_root>;

/// Uses recursive doubling below 512 KiB in total, else the ring (Thakur & Gropp 4.1).
Replicate replicate_as_MPICH2004;
inline constexpr auto& MPICH2004_Allgather = bind_first<allgather_by, replicate_as_MPICH2004>;
inline constexpr auto& MPICH2004_Allgatherv = bind_first<allgatherv_by, replicate_as_MPICH2004>;

/// Rings within groups and between groups: the blocks of a group go round another group, then all
/// its processes pass one block to the next group at once (Wilkins et al., "Generalized collective
/// algorithms for the exascale era", CLUSTER 2023). Groups are nodes if all nodes have an equal
/// number of consecutive processes, else they have about sqrt(p) processes.
Replicate replicate_by_rings_of_groups;
inline constexpr auto& kring_Allgather = bind_first<allgather_by, replicate_by_rings_of_groups>;
inline constexpr auto& kring_Allgatherv = bind_first<allgatherv_by, replicate_by_rings_of_groups>;

/// Runs bine_Reduce_scatter backwards: processes at distances ..., 11, -5, 3, -1, 1 exchange their
/// blocks. If p is no power of two, the first processes also act for a neighbour each (De Sensi et
/// al., "Bine Trees", SC 2025, arXiv 2508.17311).
Replicate replicate_by_bine;
inline constexpr auto& bine_Allgather = bind_first<allgather_by, replicate_by_bine>;
inline constexpr auto& bine_Allgatherv = bind_first<allgatherv_by, replicate_by_bine>;

}  // namespace mpiaudit
