/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts the collectives that a process calls, without looking at their arguments: each symbol counts and jumps to
 * the same symbol of the next library. So it has nothing in common with the recorder, behind which it is loaded.
 * Where Fortran's library calls PMPI_X, as in Open MPI, its own symbols are counted, too.
 *
 * At the end, $COUNT_CALLS.RANK gets a line for each: allreduce 223. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COLLECTIVES(X) \
    X(Barrier, barrier) X(Bcast, bcast) X(Gather, gather) X(Gatherv, gatherv) X(Scatter, scatter) \
    X(Scatterv, scatterv) X(Allgather, allgather) X(Allgatherv, allgatherv) X(Alltoall, alltoall) \
    X(Alltoallv, alltoallv) X(Alltoallw, alltoallw) X(Reduce, reduce) X(Allreduce, allreduce) \
    X(Reduce_scatter, reduce_scatter) X(Reduce_scatter_block, reduce_scatter_block) X(Scan, scan) \
    X(Exscan, exscan)

#if defined(OPEN_MPI)
#define NAMES_OF(name, lower) \
    {#lower, "MPI_" #name}, {"i" #lower, "MPI_I" #lower}, {#lower, "mpi_" #lower "_"}, \
        {"i" #lower, "mpi_i" #lower "_"}, {#lower, "mpi_" #lower "_f08_"}, {"i" #lower, "mpi_i" #lower "_f08_"},
#else
#define NAMES_OF(name, lower) {#lower, "MPI_" #name}, {"i" #lower, "MPI_I" #lower},
#endif

static const struct {
    const char *collective, *symbol;
} names[] = {COLLECTIVES(NAMES_OF)};
enum { symbols = sizeof names / sizeof *names };

__attribute__((visibility("hidden"))) long calls[symbols];
__attribute__((visibility("hidden"))) void *next[symbols];

#if !defined(__x86_64__)
#error "how this processor counts and jumps has to be added here"
#endif
__asm__(".text\n.set place, 0\n"
        ".macro counted symbol\n"
        ".globl \\symbol\n.type \\symbol, @function\n\\symbol:\n"
        "lock incq calls + 8 * place(%rip)\n"
        "jmp *(next + 8 * place)(%rip)\n"
        ".size \\symbol, . - \\symbol\n"
        ".set place, place + 1\n"
        ".endm\n");
#if defined(OPEN_MPI)
#define COUNT(name, lower) \
    __asm__("counted MPI_" #name "\ncounted MPI_I" #lower "\ncounted mpi_" #lower "_\ncounted mpi_i" #lower \
            "_\ncounted mpi_" #lower "_f08_\ncounted mpi_i" #lower "_f08_\n");
#else
#define COUNT(name, lower) __asm__("counted MPI_" #name "\ncounted MPI_I" #lower "\n");
#endif
COLLECTIVES(COUNT)

__attribute__((constructor)) static void find_next(void) {
    for (int i = 0; i < symbols; ++i) next[i] = dlsym(RTLD_NEXT, names[i].symbol);
}

__attribute__((destructor)) static void write_calls(void) {
    const char *output = getenv("COUNT_CALLS"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL) rank = getenv("PMI_RANK");
    long all = 0;
    for (int i = 0; i < symbols; ++i) all += calls[i];
    if (output == NULL || rank == NULL || all == 0) return;
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", output, rank);
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    for (int i = 0; i < symbols; ++i)
        if (calls[i] > 0) fprintf(file, "%s %ld\n", names[i].collective, calls[i]);
    fclose(file);
}
