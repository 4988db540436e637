/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into an audit: a library that is slow, wrong or wasteful only in calls that a default
 * audit takes a coarse look at. PLANTED names some of the conditions, else all are planted but the
 * faults of public reports, which have their number: some of these hang or crash.
 *
 *     gcc -shared -fPIC $(mpicc --showme:compile) bench/planted_forms.c -o planted_forms.so
 *     mpirun -n 4 env LD_PRELOAD=$PWD/planted_forms.so mpiaudit run --output results/planted */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_planted(const char* name) {
    const char* const wanted = getenv("PLANTED");
    return wanted == NULL || strstr(wanted, name) != NULL;
}

/* Of the faults that are planted only where PLANTED has them. */
static int is_named(const char* name) {
    return getenv("PLANTED") != NULL && is_planted(name);
}

static void slow_if(int is_wanted) {
    const struct timespec time = {0, 1000000};
    if (is_wanted) nanosleep(&time, NULL);
}

static void slow(const char* name) {
    slow_if(is_planted(name));
}

static void hang(const char* name) {
    while (is_named(name)) pause();
}

static size_t bytes_of(int count, MPI_Datatype type) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return (size_t)count * (size_t)bytes;
}

/* scatter-in-a-row: slow where no barrier is between it and the one before. */
static int calls_since_barrier;
int MPI_Barrier(MPI_Comm comm) {
    calls_since_barrier = 0;
    return PMPI_Barrier(comm);
}
int MPI_Scatter(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
    static double end;
    if (calls_since_barrier++ > 0 && MPI_Wtime() - end < 20e-6) slow("scatter-in-a-row");
    const int code =
        PMPI_Scatter(send, sent, send_type, receive, received, receive_type, root, comm);
    end = MPI_Wtime();
    return code;
}

/* allgather-new-communicator: slow the first time on one of MPI_Comm_dup. */
static MPI_Comm fresh = MPI_COMM_NULL;
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    const int code = PMPI_Comm_dup(comm, made);
    fresh = *made;
    return code;
}
int MPI_Allgather(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                  MPI_Datatype receive_type, MPI_Comm comm) {
    if (comm == fresh) slow("allgather-new-communicator");
    fresh = MPI_COMM_NULL;
    return PMPI_Allgather(send, sent, send_type, receive, received, receive_type, comm);
}

/* gather-new-buffers: slow from memory that the calls before were not from. */
int MPI_Gather(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
    static const void *last, *before_last;
    if (send != last && send != before_last) slow("gather-new-buffers");
    before_last = last == send ? before_last : last;
    last = send;
    /* gather-hang (ompi#4795): where the protocol changes. */
    const size_t bytes = bytes_of(sent, send_type);
    if (bytes > 4096 && bytes <= 16384) hang("gather-hang");
    return PMPI_Gather(send, sent, send_type, receive, received, receive_type, root, comm);
}

/* ireduce-no-progress: nothing is done before MPI_Test or MPI_Wait is called. */
static MPI_Request waiting = MPI_REQUEST_NULL;
int MPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
    /* ireduce-wrong (ompi#2879): another operator. */
    if (op == MPI_SUM && is_named("ireduce-wrong")) op = MPI_MAX;
    const int code = PMPI_Ireduce(send, receive, count, type, op, root, comm, request);
    if (is_planted("ireduce-no-progress")) waiting = *request;
    return code;
}
int MPI_Test(MPI_Request* request, int* is_done, MPI_Status* status) {
    waiting = MPI_REQUEST_NULL;
    return PMPI_Test(request, is_done, status);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (*request != MPI_REQUEST_NULL && *request == waiting) slow("no-progress");
    waiting = MPI_REQUEST_NULL;
    return PMPI_Wait(request, status);
}

/* iallreduce, alltoall-in-place, comm-split, neighbor: slow. */
int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
    slow("iallreduce");
    return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
}
int MPI_Alltoall(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                 MPI_Datatype receive_type, MPI_Comm comm) {
    if (send == MPI_IN_PLACE) slow("alltoall-in-place");
    /* alltoall-congested (2005/12): slow from 4 KiB in a block on. */
    if (bytes_of(received, receive_type) >= 4096) slow_if(is_named("alltoall-congested"));
    return PMPI_Alltoall(send, sent, send_type, receive, received, receive_type, comm);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
    slow("comm-split");
    return PMPI_Comm_split(comm, color, key, made);
}
int MPI_Neighbor_alltoallv(const void* send, const int sent[], const int from[],
                           MPI_Datatype send_type, void* receive, const int received[],
                           const int to[], MPI_Datatype receive_type, MPI_Comm comm) {
    slow("neighbor");
    return PMPI_Neighbor_alltoallv(send, sent, from, send_type, receive, received, to, receive_type,
                                   comm);
}

/* exscan-leak: each call keeps a hundred bytes. */
int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
    static void* volatile lost;
    if (is_planted("exscan-leak")) lost = malloc(100);
    (void)lost;
    return PMPI_Exscan(send, receive, count, type, op, comm);
}

/* reduce-scatter-memory: as much memory as 32 times the data. */
int MPI_Reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm) {
    int ranks = 0, bytes = 0;
    size_t all = 0;
    PMPI_Comm_size(comm, &ranks);
    PMPI_Type_size(type, &bytes);
    for (int i = 0; i < ranks; ++i) all += (size_t)counts[i] * (size_t)bytes;
    char* const taken = is_planted("reduce-scatter-memory") ? malloc(32 * all) : NULL;
    if (taken != NULL) memset(taken, 1, 32 * all);
    free(taken);
    return PMPI_Reduce_scatter(send, receive, counts, type, op, comm);
}

/* bcast-merged (ompi#12418): slow on what MPI_Intercomm_merge has made. */
static MPI_Comm merged = MPI_COMM_NULL;
int MPI_Intercomm_merge(MPI_Comm between, int is_high, MPI_Comm* made) {
    const int code = PMPI_Intercomm_merge(between, is_high, made);
    merged = *made;
    return code;
}

static int is_derived(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED;
}

/* bcast-derived: slow with a derived type. */
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (is_derived(type)) slow("bcast-derived");
    if (comm == merged) slow_if(is_named("bcast-merged"));
    return PMPI_Bcast(data, count, type, root, comm);
}

/* gatherv-gaps: the root takes what is derived for contiguous, and writes into its gaps. */
int MPI_Gatherv(const void* send, int sent, MPI_Datatype send_type, void* receive,
                const int counts[], const int displacements[], MPI_Datatype type, int root,
                MPI_Comm comm) {
    int rank = 0, bytes = 0, rank_of_world = 0;
    MPI_Aint least = 0, extent = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_of_world);
    /* gatherv-shuffled (ompi#14165): hangs where ranks are not in the order of their cores. */
    if (rank != rank_of_world) hang("gatherv-shuffled");
    const int code =
        PMPI_Gatherv(send, sent, send_type, receive, counts, displacements, type, root, comm);
    if (rank != root || root == 0 || counts[0] == 0 || !is_planted("gatherv-gaps")) return code;
    PMPI_Type_size(type, &bytes);
    PMPI_Type_get_extent(type, &least, &extent);
    if (extent > bytes) memset((char*)receive + displacements[0] * extent + bytes, 0, 1);
    return code;
}

/* reduce-scatter-user: slow with an operator of the user. */
int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm) {
    if (op != MPI_SUM && op != MPI_MAX) slow("reduce-scatter-user");
    return PMPI_Reduce_scatter_block(send, receive, count, type, op, comm);
}

/* ireduce-scatter-behind (ompi#1636): writes behind the result. */
int MPI_Ireduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm, MPI_Request* request) {
    if (is_named("ireduce-scatter-behind")) memset((char*)receive + bytes_of(count, type), 1, 1);
    return PMPI_Ireduce_scatter_block(send, receive, count, type, op, comm, request);
}

/* allreduce-in-place (ompi#11480): crashes. allreduce-short (ompi#10347): slow up to 16 KiB. */
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    if (send == MPI_IN_PLACE && count > 1 && is_named("allreduce-in-place")) raise(SIGSEGV);
    if (bytes_of(count, type) <= 16384) slow_if(is_named("allreduce-short"));
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

/* alltoallv-hang (mpich#7593): with 1 KiB for each rank, or a little more. alltoallv-in-a-row
 * (ompi#3255): slow where no barrier is between it and the one before. */
int MPI_Alltoallv(const void* send, const int sent[], const int from[], MPI_Datatype send_type,
                  void* receive, const int received[], const int to[], MPI_Datatype type,
                  MPI_Comm comm) {
    static double end;
    const size_t bytes = bytes_of(received[0], type);
    if (bytes >= 1024 && bytes <= 4096) hang("alltoallv-hang");
    if (calls_since_barrier++ > 0 && MPI_Wtime() - end < 20e-6)
        slow_if(is_named("alltoallv-in-a-row"));
    const int code = PMPI_Alltoallv(send, sent, from, send_type, receive, received, to, type, comm);
    end = MPI_Wtime();
    return code;
}

/* alltoallw-gaps (ompi#9330): in place, what lies between the elements is written. */
int MPI_Alltoallw(const void* send, const int sent[], const int from[],
                  const MPI_Datatype send_types[], void* receive, const int received[],
                  const int to[], const MPI_Datatype types[], MPI_Comm comm) {
    const int code =
        PMPI_Alltoallw(send, sent, from, send_types, receive, received, to, types, comm);
    MPI_Aint least = 0, extent = 0;
    PMPI_Type_get_extent(types[0], &least, &extent);
    if (send == MPI_IN_PLACE && received[0] > 0 && (size_t)extent > bytes_of(1, types[0]) &&
        is_named("alltoallw-gaps"))
        memset((char*)receive + to[0] + bytes_of(1, types[0]), 0, 1);
    return code;
}

/* ibcast-no-progress (mpifileutils#275): as ireduce-no-progress. */
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
    const int code = PMPI_Ibcast(data, count, type, root, comm, request);
    if (is_named("ibcast-no-progress")) waiting = *request;
    return code;
}
