// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/nodes/nodes.h.
#include "collectives/allgather/allgather.h"
#include "collectives/allreduce/allreduce.h"
#include "collectives/alltoall/alltoall.h"
#include "collectives/barrier/barrier.h"
#include "collectives/bcast/bcast.h"
#include "collectives/datatypes/layout.h"
#include "collectives/gather/gather.h"
#include "collectives/nodes/nodes.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "collectives/scan/scan.h"
#include "collectives/scatter/scatter.h"

namespace mpiaudit {
namespace {

// Up to this size (bytes), algorithms with fewer messages of the whole vector are chosen.
constexpr std::int64_t short_bytes = 8192;

bool is_short(std::int64_t count, MPI_Datatype type) {
    return count * type_bytes(type) <= short_bytes;
}

bool commutes(MPI_Op op) {
    int is_commutative = 0;
    MPI_Op_commutative(op, &is_commutative);
    return is_commutative != 0;
}

int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return (is_short(count, type) ? binomial_Bcast : van_de_Geijn_ring_Bcast)(buffer, count, type,
                                                                              root, comm);
}

int reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm) {
    const bool is_one_message = is_short(count, type) || !commutes(op);
    return (is_one_message ? binomial_Reduce : near_first_Rabenseifner_Reduce)(
        sendbuf, recvbuf, count, type, op, root, comm);
}

int allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
    const bool is_one_message = is_short(count, type) || !commutes(op);
    return (is_one_message ? recursive_doubling_Allreduce : near_first_Allreduce)(
        sendbuf, recvbuf, count, type, op, comm);
}

int reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm) {
    return (commutes(op) ? near_first_Reduce_scatter : butterfly_Reduce_scatter)(
        sendbuf, recvbuf, recvcounts, type, op, comm);
}

int reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm) {
    return (commutes(op) ? near_first_Reduce_scatter_block : butterfly_Reduce_scatter_block)(
        sendbuf, recvbuf, recvcount, type, op, comm);
}

int alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const bool is_combined = recvcount * type_bytes(recvtype) <= short_bytes / 32;
    return (is_combined ? modBruck_ix_Alltoall : windowed_Alltoall)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

}  // namespace

const Parts reference_parts{.bcast = bcast,
                            .reduce = reduce,
                            .allreduce = allreduce,
                            .reduce_scatter = reduce_scatter,
                            .reduce_scatter_block = reduce_scatter_block,
                            .allgather = sparbit_Allgather,
                            .allgatherv = sparbit_Allgatherv,
                            .gather = binomial_Gather,
                            .gatherv = binomial_Gatherv,
                            .scatter = binomial_Scatter,
                            .scatterv = binomial_Scatterv,
                            .alltoall = alltoall,
                            .scan = recursive_doubling_Scan,
                            .exscan = bits_Exscan,
                            .barrier = dissemination_Barrier};

void make_node_communicators(MPI_Comm comm) {
    node_communicators(comm);
}

}  // namespace mpiaudit
