/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into an audit: some calls of an operation take longer. The variable PLANTED_TAIL names
 * the operation and the calls, "MPI_Bcast [every=N] [after=MS] us=US [rank=R]": every N-th call of
 * the process, calls that come MS milliseconds after its last call of any of these operations or of
 * MPI_Barrier. bench/planted_tails builds the library and counts the audits that find the tail. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static double last_end_s = 0.0;

static long condition(const char* name, long otherwise) {
    const char* const planted = getenv("PLANTED_TAIL");
    const char* const found = planted != NULL ? strstr(planted, name) : NULL;
    return found != NULL ? atol(found + strlen(name)) : otherwise;
}

static int is_planted(const char* operation) {
    const char* const planted = getenv("PLANTED_TAIL");
    const size_t length = strlen(operation);
    return planted != NULL && strncmp(planted, operation, length) == 0 && planted[length] == ' ';
}

/* Keeps the processor busy before the call, if this call is one of the long ones. */
static void wait_if_planted(const char* operation, long* calls) {
    static int rank = -1;
    if (rank < 0) PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!is_planted(operation)) return;
    const double start_s = PMPI_Wtime();
    const int is_long = ++*calls % condition("every=", 1) == 0 &&
                        start_s - last_end_s >= 1e-3 * (double)condition("after=", 0) &&
                        condition("rank=", rank) == rank;
    const double end_s = start_s + 1e-6 * (double)condition("us=", 0);
    while (is_long && PMPI_Wtime() < end_s) {
    }
}

static int ended(int code) {
    last_end_s = PMPI_Wtime();
    return code;
}

int MPI_Barrier(MPI_Comm comm) {
    return ended(PMPI_Barrier(comm));
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    static long calls = 0;
    wait_if_planted("MPI_Bcast", &calls);
    return ended(PMPI_Bcast(data, count, type, root, comm));
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    static long calls = 0;
    wait_if_planted("MPI_Allreduce", &calls);
    return ended(PMPI_Allreduce(send, receive, count, type, op, comm));
}

int MPI_Gather(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
    static long calls = 0;
    wait_if_planted("MPI_Gather", &calls);
    return ended(PMPI_Gather(send, sent, send_type, receive, received, receive_type, root, comm));
}

int MPI_Alltoall(const void* send, int sent, MPI_Datatype send_type, void* receive, int received,
                 MPI_Datatype receive_type, MPI_Comm comm) {
    static long calls = 0;
    wait_if_planted("MPI_Alltoall", &calls);
    return ended(PMPI_Alltoall(send, sent, send_type, receive, received, receive_type, comm));
}
