/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application that adds numbers on all ranks and on parts of them. The last bits show in which order the
 * library adds.
 *
 *     sums FILE     writes FILE.rank */
#include <mpi.h>
#include <stdio.h>

enum { most = 64 };
static FILE *results;

static void note(const char *what, int ranks, int n, const double *sums) {
    fprintf(results, "%s on %d ranks %d", what, ranks, n);
    for (int i = 0; i < n; ++i) fprintf(results, i == 0 ? " %a" : ",%a", sums[i]);
    fprintf(results, "\n");
}

static void sums_on(MPI_Comm comm) {
    double numbers[8 * most], sums[most];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < 8 * most; ++i) numbers[i] = 1.0 / (3 + 11 * rank + i);
    for (int n = 4; n <= most; n += n == 5 ? 15 : n == 21 ? 43 : 1) {
        MPI_Allreduce(numbers, sums, n, MPI_DOUBLE, MPI_SUM, comm);
        note("sums", ranks, n, sums);
    }
    for (int n = 1; n <= 6; n += n == 2 ? 3 : 1) {
        MPI_Reduce_scatter_block(numbers, sums, n, MPI_DOUBLE, MPI_SUM, comm);
        note("blocks", ranks, n, sums);
    }
}

int main(int argc, char **argv) {
    int rank;
    char name[4096];
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    results = fopen(name, "w");
    if (results == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
    sums_on(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 0, rank, &part);
    sums_on(part);
    MPI_Comm_free(&part);
    fclose(results);
    MPI_Finalize();
    return 0;
}
