// SPDX-License-Identifier: BSD-3-Clause
// The collective operations of MPI with a fault in one of them (see fault.h), through the profiling
// interface.
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <cstddef>

#include "fault.h"

namespace {

using faults::Side;
using faults::with_fault;

int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}
bool is_inter(MPI_Comm comm) {
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    return inter != 0;
}
/// Returns the number of ranks that exchange data with each rank.
int partners(MPI_Comm comm) {
    int size = 0;
    if (is_inter(comm))
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    return size;
}
/// Returns the number of neighbours that send data to this rank, or get data from this rank.
int neighbours(MPI_Comm comm, bool are_sources) {
    int topology = MPI_UNDEFINED, number = 0;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm, &number);
        return 2 * number;
    }
    if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank_in(comm), &number);
        return number;
    }
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return are_sources ? in : out;
}

Side vector(const void* data, long count, MPI_Datatype type) {
    return {const_cast<void*>(data), 1, count, type};
}
Side equal(const void* data, int blocks, long count, MPI_Datatype type) {
    return {const_cast<void*>(data), blocks, count, type};
}
Side blocks(const void* data, int blocks, const int counts[], const int displacements[],
            MPI_Datatype type) {
    return {const_cast<void*>(data), blocks, 0, type, counts, displacements};
}
Side blocks(const void* data, int blocks, const int counts[], const int displacements[],
            const MPI_Datatype types[]) {
    return {const_cast<void*>(data), blocks, 0, MPI_DATATYPE_NULL, counts, displacements, types};
}
/// MPI_Neighbor_alltoallw has displacements of another type.
Side blocks(const void* data, int blocks, const int counts[], const MPI_Aint[],
            const MPI_Datatype types[]) {
    return {const_cast<void*>(data), blocks, 0, MPI_DATATYPE_NULL, counts, nullptr, types};
}
/// The vector of MPI_Reduce_scatter, whose counts are those of all ranks.
Side whole(const void* data, const int counts[], MPI_Datatype type, MPI_Comm comm) {
    long all = 0;
    for (int k = 0; k < partners(comm); ++k) all += is_inter(comm) ? 0 : counts[k];
    return vector(data, all, type);
}
/// Returns no data on ranks other than the root.
Side at_root(int root, MPI_Comm comm, const Side& side) {
    return root == (is_inter(comm) ? MPI_ROOT : rank_in(comm)) ? side : Side{};
}
/// Returns no data on ranks that exchange nothing with the root.
Side of_partner(int root, MPI_Comm comm, const Side& side) {
    return is_inter(comm) && root < 0 ? Side{} : side;
}
/// Returns no data on `rank`: rank 0 gets nothing from MPI_Exscan, and the root of a broadcast has
/// the data already.
Side unless(int rank, MPI_Comm comm, const Side& side) {
    return rank == (is_inter(comm) ? MPI_ROOT : rank_in(comm)) ? Side{} : side;
}

}  // namespace

// Only the preprocessor can spell three names at once. `parameters` and `arguments` are the texts
// between the parentheses; `...` are the data that a call reads and writes on this rank, and the
// operator and the root if there are any.
#define P(...) __VA_ARGS__
#define OPERATION(name, iname, parameters, arguments, ...)                                   \
    extern "C" int MPI_##name(parameters, MPI_Comm comm) {                                   \
        return with_fault({.operation = "MPI_" #name,                                        \
                           .family = "MPI_" #name,                                           \
                           .comm = comm,                                                     \
                           __VA_ARGS__,                                                      \
                           .work = [=] { return PMPI_##name(arguments, comm); }});           \
    }                                                                                        \
    extern "C" int MPI_##iname(parameters, MPI_Comm comm, MPI_Request* request) {            \
        return faults::start_nonblocking(                                                    \
            {.operation = "MPI_" #iname, .family = "MPI_" #name, .comm = comm, __VA_ARGS__}, \
            [=](MPI_Request* started) { return PMPI_##iname(arguments, comm, started); },    \
            request);                                                                        \
    }                                                                                        \
    PERSISTENT(name, P(parameters), P(arguments), __VA_ARGS__)
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define OUR_INIT(name) MPIX_##name##_init
#define INIT_OF_THE_LIBRARY(name) PMPIX_##name##_init
#elif defined(MPIAUDIT_HAS_MPI4_PERSISTENT)
#define OUR_INIT(name) MPI_##name##_init
#define INIT_OF_THE_LIBRARY(name) PMPI_##name##_init
#endif
#ifdef OUR_INIT
#define PERSISTENT(name, parameters, arguments, ...)                              \
    extern "C" int OUR_INIT(name)(parameters, MPI_Comm comm, MPI_Info info,       \
                                  MPI_Request * request) {                        \
        return faults::initialise(                                                \
            {.operation = "MPI_" #name "_init",                                   \
             .family = "MPI_" #name,                                              \
             .comm = comm,                                                        \
             __VA_ARGS__},                                                        \
            [=](MPI_Request* started) {                                           \
                return INIT_OF_THE_LIBRARY(name)(arguments, comm, info, started); \
            },                                                                    \
            request);                                                             \
    }
#else
#define PERSISTENT(name, parameters, arguments, ...)
#endif

using V = void*;
using C = const void*;
using T = MPI_Datatype;
using Is = const int[];
using As = const MPI_Aint[];
using Ts = const MPI_Datatype[];

#define ROOT .root = root
#define OP .op = op

OPERATION(Bcast, Ibcast, P(V b, int n, T t, int root), P(b, n, t, root),
          .sent = at_root(root, comm, vector(b, n, t)),
          .received = of_partner(root, comm, unless(root, comm, vector(b, n, t))), ROOT)
OPERATION(Gather, Igather, P(C s, int sn, T st, V r, int rn, T rt, int root),
          P(s, sn, st, r, rn, rt, root), .sent = of_partner(root, comm, vector(s, sn, st)),
          .received = at_root(root, comm, equal(r, partners(comm), rn, rt)), ROOT)
OPERATION(Gatherv, Igatherv, P(C s, int sn, T st, V r, Is rn, Is rd, T rt, int root),
          P(s, sn, st, r, rn, rd, rt, root), .sent = of_partner(root, comm, vector(s, sn, st)),
          .received = at_root(root, comm, blocks(r, partners(comm), rn, rd, rt)), ROOT)
OPERATION(Scatter, Iscatter, P(C s, int sn, T st, V r, int rn, T rt, int root),
          P(s, sn, st, r, rn, rt, root),
          .sent = at_root(root, comm, equal(s, partners(comm), sn, st)),
          .received = of_partner(root, comm, vector(r, rn, rt)), ROOT)
OPERATION(Scatterv, Iscatterv, P(C s, Is sn, Is sd, T st, V r, int rn, T rt, int root),
          P(s, sn, sd, st, r, rn, rt, root),
          .sent = at_root(root, comm, blocks(s, partners(comm), sn, sd, st)),
          .received = of_partner(root, comm, vector(r, rn, rt)), ROOT)
OPERATION(Allgather, Iallgather, P(C s, int sn, T st, V r, int rn, T rt), P(s, sn, st, r, rn, rt),
          .sent = vector(s, sn, st), .received = equal(r, partners(comm), rn, rt))
OPERATION(Allgatherv, Iallgatherv, P(C s, int sn, T st, V r, Is rn, Is rd, T rt),
          P(s, sn, st, r, rn, rd, rt), .sent = vector(s, sn, st),
          .received = blocks(r, partners(comm), rn, rd, rt))
OPERATION(Alltoall, Ialltoall, P(C s, int sn, T st, V r, int rn, T rt), P(s, sn, st, r, rn, rt),
          .sent = equal(s, partners(comm), sn, st), .received = equal(r, partners(comm), rn, rt))
OPERATION(Alltoallv, Ialltoallv, P(C s, Is sn, Is sd, T st, V r, Is rn, Is rd, T rt),
          P(s, sn, sd, st, r, rn, rd, rt),
          .sent = blocks(s, s == MPI_IN_PLACE ? 0 : partners(comm), sn, sd, st),
          .received = blocks(r, partners(comm), rn, rd, rt))
OPERATION(Alltoallw, Ialltoallw, P(C s, Is sn, Is sd, Ts st, V r, Is rn, Is rd, Ts rt),
          P(s, sn, sd, st, r, rn, rd, rt),
          .sent = blocks(s, s == MPI_IN_PLACE ? 0 : partners(comm), sn, sd, st),
          .received = blocks(r, partners(comm), rn, rd, rt))
OPERATION(Reduce, Ireduce, P(C s, V r, int n, T t, MPI_Op op, int root), P(s, r, n, t, op, root),
          .sent = of_partner(root, comm, vector(s, n, t)),
          .received = at_root(root, comm, vector(r, n, t)), OP, ROOT)
OPERATION(Allreduce, Iallreduce, P(C s, V r, int n, T t, MPI_Op op), P(s, r, n, t, op),
          .sent = vector(s, n, t), .received = vector(r, n, t), OP)
OPERATION(Reduce_scatter_block, Ireduce_scatter_block, P(C s, V r, int n, T t, MPI_Op op),
          P(s, r, n, t, op), .sent = equal(s, partners(comm), n, t), .received = vector(r, n, t),
          OP)
OPERATION(Reduce_scatter, Ireduce_scatter, P(C s, V r, Is n, T t, MPI_Op op), P(s, r, n, t, op),
          .sent = whole(s, n, t, comm), .received = vector(r, n[rank_in(comm)], t), OP)
OPERATION(Scan, Iscan, P(C s, V r, int n, T t, MPI_Op op), P(s, r, n, t, op),
          .sent = vector(s, n, t), .received = vector(r, n, t), OP)
OPERATION(Exscan, Iexscan, P(C s, V r, int n, T t, MPI_Op op), P(s, r, n, t, op),
          .sent = vector(s, n, t), .received = unless(0, comm, vector(r, n, t)), OP)

OPERATION(Neighbor_allgather, Ineighbor_allgather, P(C s, int sn, T st, V r, int rn, T rt),
          P(s, sn, st, r, rn, rt), .sent = vector(s, sn, st),
          .received = equal(r, neighbours(comm, true), rn, rt))
OPERATION(Neighbor_allgatherv, Ineighbor_allgatherv, P(C s, int sn, T st, V r, Is rn, Is rd, T rt),
          P(s, sn, st, r, rn, rd, rt), .sent = vector(s, sn, st),
          .received = blocks(r, neighbours(comm, true), rn, rd, rt))
OPERATION(Neighbor_alltoall, Ineighbor_alltoall, P(C s, int sn, T st, V r, int rn, T rt),
          P(s, sn, st, r, rn, rt), .sent = equal(s, neighbours(comm, false), sn, st),
          .received = equal(r, neighbours(comm, true), rn, rt))
OPERATION(Neighbor_alltoallv, Ineighbor_alltoallv,
          P(C s, Is sn, Is sd, T st, V r, Is rn, Is rd, T rt), P(s, sn, sd, st, r, rn, rd, rt),
          .sent = blocks(s, neighbours(comm, false), sn, sd, st),
          .received = blocks(r, neighbours(comm, true), rn, rd, rt))
OPERATION(Neighbor_alltoallw, Ineighbor_alltoallw,
          P(C s, Is sn, As sd, Ts st, V r, Is rn, As rd, Ts rt), P(s, sn, sd, st, r, rn, rd, rt),
          .sent = blocks(s, neighbours(comm, false), sn, sd, st),
          .received = blocks(r, neighbours(comm, true), rn, rd, rt))

// MPI_Barrier has no data, and so another form.
extern "C" int MPI_Barrier(MPI_Comm comm) {
    return with_fault(
        {.operation = "MPI_Barrier", .family = "MPI_Barrier", .comm = comm, .work = [=] {
             return PMPI_Barrier(comm);
         }});
}
extern "C" int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    return faults::start_nonblocking(
        {.operation = "MPI_Ibarrier", .family = "MPI_Barrier", .comm = comm},
        [=](MPI_Request* started) { return PMPI_Ibarrier(comm, started); }, request);
}
#ifdef OUR_INIT
extern "C" int OUR_INIT(Barrier)(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return faults::initialise(
        {.operation = "MPI_Barrier_init", .family = "MPI_Barrier", .comm = comm},
        [=](MPI_Request* started) { return INIT_OF_THE_LIBRARY(Barrier)(comm, info, started); },
        request);
}
#endif
extern "C" int MPI_Reduce_local(const void* in, void* inout, int n, MPI_Datatype t, MPI_Op op) {
    return with_fault({.operation = "MPI_Reduce_local",
                       .family = "MPI_Reduce_local",
                       .comm = MPI_COMM_SELF,
                       .sent = vector(in, n, t),
                       .received = vector(inout, n, t),
                       .op = op,
                       .work = [=] { return PMPI_Reduce_local(in, inout, n, t, op); }});
}

extern "C" int MPI_Start(MPI_Request* request) {
    return faults::start(request);
}

extern "C" int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                         MPI_Request* request) {
    const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
    if (from == MPI_ANY_SOURCE) faults::open_requests()[*request] = {comm, true};
    return code;
}
extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    faults::open_requests().erase(*request);
    return PMPI_Wait(request, status);
}
extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
    const MPI_Request tested = *request;
    const int code = PMPI_Test(request, done, status);
    if (*done) faults::open_requests().erase(tested);
    return code;
}
extern "C" int MPI_Waitall(int number, MPI_Request requests[], MPI_Status statuses[]) {
    for (int k = 0; k < number; ++k) faults::open_requests().erase(requests[k]);
    return PMPI_Waitall(number, requests, statuses);
}
