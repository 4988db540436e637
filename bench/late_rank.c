/* SPDX-License-Identifier: BSD-3-Clause */
/* An application with nothing planted in it: in each step all ranks send what they have to rank 0, which tells
 * them to go on. Rank 1 has little, and waits for it, as for a device or a file; those behind it have blocks that
 * stay where they are until rank 0 asks for them. A library that receives in the order of ranks asks for none
 * before rank 1 has come.
 *
 * late_rank STEPS NUMBERS MICROSECONDS: of the ranks behind rank 1, and for which rank 1 waits */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_it(long microseconds) {
    const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&time, NULL);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, all = 0, go_on = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
    const int steps = atoi(argv[1]), numbers = atoi(argv[2]);
    const long microseconds = atol(argv[3]);

    int *counts = malloc(sizeof *counts * ranks), *displacements = malloc(sizeof *counts * ranks);
    for (int i = 0; i < ranks; ++i) {
        counts[i] = i < 2 ? 100 : numbers;
        displacements[i] = all;
        all += counts[i];
    }
    double *own = malloc(sizeof *own * counts[rank]), *together = malloc(sizeof *together * all);
    double sum = 0;
    for (int i = 0; i < counts[rank]; ++i) own[i] = rank + i;
    for (int step = 0; step < steps; ++step) {
        if (rank == 1) wait_for_it(microseconds);
        own[step % counts[rank]] += step;
        MPI_Gatherv(own, counts[rank], MPI_DOUBLE, together, counts, displacements, MPI_DOUBLE, 0,
                    MPI_COMM_WORLD);
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < ranks && rank == 0; ++i) sum += together[displacements[i] + step % counts[i]];
    }
    if (rank == 0) printf("%.17g\n", sum);
    free(counts);
    free(displacements);
    free(own);
    free(together);
    MPI_Finalize();
    return 0;
}
