/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that call collectives side by side, each on communicators of its own, which come and go. Exits with
 * 77 where the library does not allow it. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { threads = 4, rounds = 50, calls = 1000 };

static void *work(void *comm) {
    for (int round = 0; round < rounds; ++round) {
        MPI_Comm own;
        MPI_Comm_dup(*(MPI_Comm *)comm, &own);
        for (int i = 0; i < calls; ++i) {
            int one = 1, sum = 0;
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own);
            MPI_Bcast(&sum, 1, MPI_INT, 0, own);
        }
        MPI_Comm_free(&own);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    MPI_Comm comms[threads];
    pthread_t running[threads];
    for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < threads; ++i) pthread_create(&running[i], NULL, work, &comms[i]);
    for (int i = 0; i < threads; ++i) pthread_join(running[i], NULL);
    for (int i = 0; i < threads; ++i) MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
