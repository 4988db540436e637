/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into an audit: calls take longer under the conditions that PLANTED names (all without
 * it), which are those of problems that users have reported. bench/planted_conditions builds it and
 * says which of them the audit has found. PLANTED_US: microseconds that a call takes longer. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum { bcast, alltoall, reduce, allgatherv, allreduce, gather, scatter } operation;

/* `from` to `to` bytes (inclusive) of what the operation counts: of a block where it has blocks,
 * of the vector, or where `counts_elements` is set, elements of it. */
typedef struct {
    const char* name;
    operation of;
    double from, to;
    int counts_elements, with_max_only, with_root_0_only;
} condition;

static const double no_end = 1e30;
static const condition conditions[] = {
    {"bcast-few", bcast, 1, -1, 1, 0, 0}, /* fewer elements than ranks */
    {"alltoall-short", alltoall, 1, 64, 0, 0, 0},
    {"reduce-long", reduce, 262144, no_end, 0, 0, 0},
    {"allgatherv-short", allgatherv, 32, 512, 0, 0, 0},
    {"allreduce-band", allreduce, 16385, 32768, 0, 0, 0},
    {"gather-band", gather, 512, 2048, 0, 0, 0},
    {"alltoall-band", alltoall, 65536, 131072, 0, 0, 0},
    {"scatter-long", scatter, 1048576, no_end, 0, 0, 0},
    {"allreduce-max", allreduce, 1, no_end, 0, 1, 0},
    {"reduce-root-0", reduce, 1, no_end, 0, 0, 1},
};

static int is_planted(const char* name) {
    const char* const wanted = getenv("PLANTED");
    return wanted == NULL || strstr(wanted, name) != NULL;
}

static void wait_if_planted(operation of, double count, MPI_Datatype type, MPI_Op op, int root,
                            MPI_Comm comm) {
    int bytes = 0, ranks = 1;
    PMPI_Type_size(type, &bytes);
    PMPI_Comm_size(comm, &ranks);
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
        const condition* const each = &conditions[i];
        const double amount = each->counts_elements ? count : count * bytes;
        const double to = each->to < 0 ? ranks - 1 : each->to;
        if (each->of != of || amount < each->from || amount > to) continue;
        if ((each->with_max_only && op != MPI_MAX) || (each->with_root_0_only && root != 0)) continue;
        if (!is_planted(each->name)) continue;
        const char* const given = getenv("PLANTED_US");
        const long us = given != NULL ? atol(given) : 1000;
        const struct timespec time = {us / 1000000, us % 1000000 * 1000};
        nanosleep(&time, NULL);
        return;
    }
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    wait_if_planted(bcast, count, type, MPI_OP_NULL, root, comm);
    return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Alltoall(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                 MPI_Datatype receive_type, MPI_Comm comm) {
    wait_if_planted(alltoall, received, receive_type, MPI_OP_NULL, -1, comm);
    return PMPI_Alltoall(send, sent, send_type, receive, received, receive_type, comm);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    wait_if_planted(reduce, count, type, op, root, comm);
    return PMPI_Reduce(send, receive, count, type, op, root, comm);
}

int MPI_Allgatherv(const void* send, int sent, MPI_Datatype send_type, void* receive,
                   const int counts[], const int displacements[], MPI_Datatype receive_type,
                   MPI_Comm comm) {
    int ranks = 1;
    double total = 0;
    PMPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; ++i) total += counts[i];
    wait_if_planted(allgatherv, total / ranks, receive_type, MPI_OP_NULL, -1, comm);
    return PMPI_Allgatherv(send, sent, send_type, receive, counts, displacements, receive_type,
                           comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    wait_if_planted(allreduce, count, type, op, -1, comm);
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int MPI_Gather(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == root)
        wait_if_planted(gather, received, receive_type, MPI_OP_NULL, root, comm);
    return PMPI_Gather(send, sent, send_type, receive, received, receive_type, root, comm);
}

int MPI_Scatter(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == root) wait_if_planted(scatter, sent, send_type, MPI_OP_NULL, root, comm);
    return PMPI_Scatter(send, sent, send_type, receive, received, receive_type, root, comm);
}
