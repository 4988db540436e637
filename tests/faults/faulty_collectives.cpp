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

using faults::Bytes;
using faults::Collective;
using faults::with_fault;

int rank_in(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}
int size_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/// Returns the bytes of `count` elements from `data` on.
Bytes elements(void* data, long count, MPI_Datatype type) {
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    return {data, static_cast<std::size_t>(count * extent)};
}
Bytes nothing() {
    return {};
}
Bytes at_root(int root, MPI_Comm comm, void* data, long count, MPI_Datatype type) {
    return rank_in(comm) == root ? elements(data, count, type) : nothing();
}
/// Returns the block of rank 0 if it is not empty, else the first block that is not empty.
Bytes first_block(void* data, const int counts[], const int displacements[], MPI_Datatype type,
                  MPI_Comm comm) {
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    for (int i = 0; i < size_of(comm); ++i) {
        if (counts[i] > 0)
            return elements(static_cast<char*>(data) + displacements[i] * extent, counts[i], type);
    }
    return nothing();
}
Bytes first_block(void* data, const int counts[], const int displacements[],
                  const MPI_Datatype types[], MPI_Comm comm) {
    for (int i = 0; i < size_of(comm); ++i) {
        if (counts[i] > 0)
            return elements(static_cast<char*>(data) + displacements[i], counts[i], types[i]);
    }
    return nothing();
}
Bytes first_block_at(int root, void* data, const int counts[], const int displacements[],
                     MPI_Datatype type, MPI_Comm comm) {
    return rank_in(comm) == root ? first_block(data, counts, displacements, type, comm) : nothing();
}
Bytes own_of(const int counts[], void* data, MPI_Datatype type, MPI_Comm comm) {
    return elements(data, counts[rank_in(comm)], type);
}
/// Returns no bytes on `rank`: rank 0 gets nothing from MPI_Exscan, and the root of a broadcast has
/// the data already.
Bytes unless(int rank, MPI_Comm comm, void* data, long count, MPI_Datatype type) {
    return rank_in(comm) == rank ? nothing() : elements(data, count, type);
}
/// Returns the data that the root itself sends in a broadcast.
const void* if_root(int root, MPI_Comm comm, const void* data) {
    return rank_in(comm) == root ? data : nullptr;
}

/// A non-blocking operation, done at once: its request is complete.
template <class Start>
int at_once(Start start, MPI_Request* request) {
    const int code = start(request);
    return code == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

/// A persistent one, whose starts may be faulty.
template <class Initialise>
int initialised(Collective call, Initialise initialise, MPI_Request* request) {
    const int code = initialise(request);
    if (code == MPI_SUCCESS) faults::remember(*request, call);
    return code;
}

}  // namespace

// Only the preprocessor can spell three names at once. `parameters` and `arguments` are the texts
// between the parentheses; `sent` and `output` are the data that a call reads and writes on this
// rank.
#define P(...) __VA_ARGS__
#define OPERATION(name, iname, parameters, arguments, sent, output)                                \
    extern "C" int MPI_##name(parameters, MPI_Comm comm) {                                         \
        return with_fault(                                                                         \
            {"MPI_" #name, comm, sent, output, [=] { return PMPI_##name(arguments, comm); }});     \
    }                                                                                              \
    extern "C" int MPI_##iname(parameters, MPI_Comm comm, MPI_Request* request) {                  \
        *request = MPI_REQUEST_NULL;                                                               \
        return with_fault(                                                                         \
            {"MPI_" #iname, comm, sent, output, [=] {                                              \
                 return at_once(                                                                   \
                     [=](MPI_Request* started) { return PMPI_##iname(arguments, comm, started); }, \
                     request);                                                                     \
             }});                                                                                  \
    }                                                                                              \
    PERSISTENT(name, P(parameters), P(arguments), P(sent), P(output))
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define OUR_INIT(name) MPIX_##name##_init
#define INIT_OF_THE_LIBRARY(name) PMPIX_##name##_init
#elif defined(MPIAUDIT_HAS_MPI4_PERSISTENT)
#define OUR_INIT(name) MPI_##name##_init
#define INIT_OF_THE_LIBRARY(name) PMPI_##name##_init
#endif
#ifdef OUR_INIT
#define PERSISTENT(name, parameters, arguments, sent, output)                     \
    extern "C" int OUR_INIT(name)(parameters, MPI_Comm comm, MPI_Info info,       \
                                  MPI_Request * request) {                        \
        return initialised(                                                       \
            {"MPI_" #name "_init", comm, sent, output, {}},                       \
            [=](MPI_Request* started) {                                           \
                return INIT_OF_THE_LIBRARY(name)(arguments, comm, info, started); \
            },                                                                    \
            request);                                                             \
    }
#else
#define PERSISTENT(name, parameters, arguments, sent, output)
#endif

using V = void*;
using C = const void*;
using T = MPI_Datatype;
using Is = const int[];

OPERATION(Bcast, Ibcast, P(V b, int n, T t, int root), P(b, n, t, root), if_root(root, comm, b),
          unless(root, comm, b, n, t))
OPERATION(Gather, Igather, P(C s, int sn, T st, V r, int rn, T rt, int root),
          P(s, sn, st, r, rn, rt, root), s, at_root(root, comm, r, long{rn} * size_of(comm), rt))
OPERATION(Gatherv, Igatherv, P(C s, int sn, T st, V r, Is rn, Is rd, T rt, int root),
          P(s, sn, st, r, rn, rd, rt, root), s, first_block_at(root, r, rn, rd, rt, comm))
OPERATION(Scatter, Iscatter, P(C s, int sn, T st, V r, int rn, T rt, int root),
          P(s, sn, st, r, rn, rt, root), if_root(root, comm, s),
          elements(r == MPI_IN_PLACE ? nullptr : r, r == MPI_IN_PLACE ? 0 : rn, rt))
OPERATION(Scatterv, Iscatterv, P(C s, Is sn, Is sd, T st, V r, int rn, T rt, int root),
          P(s, sn, sd, st, r, rn, rt, root), nullptr,
          elements(r == MPI_IN_PLACE ? nullptr : r, r == MPI_IN_PLACE ? 0 : rn, rt))
OPERATION(Allgather, Iallgather, P(C s, int sn, T st, V r, int rn, T rt), P(s, sn, st, r, rn, rt),
          s, elements(r, long{rn} * size_of(comm), rt))
OPERATION(Allgatherv, Iallgatherv, P(C s, int sn, T st, V r, Is rn, Is rd, T rt),
          P(s, sn, st, r, rn, rd, rt), s, first_block(r, rn, rd, rt, comm))
OPERATION(Alltoall, Ialltoall, P(C s, int sn, T st, V r, int rn, T rt), P(s, sn, st, r, rn, rt), s,
          elements(r, long{rn} * size_of(comm), rt))
OPERATION(Alltoallv, Ialltoallv, P(C s, Is sn, Is sd, T st, V r, Is rn, Is rd, T rt),
          P(s, sn, sd, st, r, rn, rd, rt), nullptr, first_block(r, rn, rd, rt, comm))
using Ts = const MPI_Datatype[];
OPERATION(Alltoallw, Ialltoallw, P(C s, Is sn, Is sd, Ts st, V r, Is rn, Is rd, Ts rt),
          P(s, sn, sd, st, r, rn, rd, rt), nullptr, first_block(r, rn, rd, rt, comm))
OPERATION(Reduce, Ireduce, P(C s, V r, int n, T t, MPI_Op op, int root), P(s, r, n, t, op, root), s,
          at_root(root, comm, r, n, t))
OPERATION(Allreduce, Iallreduce, P(C s, V r, int n, T t, MPI_Op op), P(s, r, n, t, op), s,
          elements(r, n, t))
OPERATION(Reduce_scatter_block, Ireduce_scatter_block, P(C s, V r, int n, T t, MPI_Op op),
          P(s, r, n, t, op), s, elements(r, n, t))
OPERATION(Reduce_scatter, Ireduce_scatter, P(C s, V r, Is n, T t, MPI_Op op), P(s, r, n, t, op), s,
          own_of(n, r, t, comm))
OPERATION(Scan, Iscan, P(C s, V r, int n, T t, MPI_Op op), P(s, r, n, t, op), s, elements(r, n, t))
OPERATION(Exscan, Iexscan, P(C s, V r, int n, T t, MPI_Op op), P(s, r, n, t, op), s,
          unless(0, comm, r, n, t))

// MPI_Barrier has no data, and so another form.
extern "C" int MPI_Barrier(MPI_Comm comm) {
    return with_fault(
        {"MPI_Barrier", comm, nullptr, nothing(), [=] { return PMPI_Barrier(comm); }});
}
extern "C" int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    *request = MPI_REQUEST_NULL;
    return with_fault({"MPI_Ibarrier", comm, nullptr, nothing(), [=] {
                           return at_once(
                               [=](MPI_Request* started) { return PMPI_Ibarrier(comm, started); },
                               request);
                       }});
}
#ifdef OUR_INIT
extern "C" int OUR_INIT(Barrier)(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return initialised(
        {"MPI_Barrier_init", comm, nullptr, nothing(), {}},
        [=](MPI_Request* started) { return INIT_OF_THE_LIBRARY(Barrier)(comm, info, started); },
        request);
}
#endif
extern "C" int MPI_Reduce_local(const void* in, void* inout, int n, MPI_Datatype t, MPI_Op op) {
    return with_fault({"MPI_Reduce_local", MPI_COMM_SELF, in, elements(inout, n, t),
                       [=] { return PMPI_Reduce_local(in, inout, n, t, op); }});
}

extern "C" int MPI_Start(MPI_Request* request) {
    return faults::start(request);
}
