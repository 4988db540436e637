// SPDX-License-Identifier: BSD-3-Clause
// Loaded before the MPI library: as libraries with a progress thread do, it starts one in MPI_Init and pins the thread
// to the last processing unit that the rank may use. MPI_Finalize says where the threads may run then, on a line
// "pinned-thread RANK: thread FIRST -> LAST, main FIRST -> LAST".
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t thread;
static cpu_set_t thread_at_first, main_at_first;

static void *sleep_for_ever(void *unused) {
    for (;;) pause();
    return unused;
}

static void start(void) {
    pthread_getaffinity_np(pthread_self(), sizeof main_at_first, &main_at_first);
    int unit = CPU_SETSIZE - 1;
    while (!CPU_ISSET(unit, &main_at_first)) --unit;
    CPU_ZERO(&thread_at_first);
    CPU_SET(unit, &thread_at_first);
    pthread_create(&thread, NULL, sleep_for_ever, NULL);
    pthread_setname_np(thread, "progress");
    pthread_setaffinity_np(thread, sizeof thread_at_first, &thread_at_first);
}

int MPI_Init(int *argc, char ***argv) {
    const int code = PMPI_Init(argc, argv);
    start();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    const int code = PMPI_Init_thread(argc, argv, required, provided);
    start();
    return code;
}

static void write_units(FILE *line, const char *before, const cpu_set_t *units) {
    fputs(before, line);
    for (int unit = 0; unit < CPU_SETSIZE; ++unit)
        if (CPU_ISSET(unit, units)) fprintf(line, " %d", unit);
}

// Prints its line with one call, since lines of other ranks would else come between the parts.
int MPI_Finalize(void) {
    int rank = 0;
    cpu_set_t now;
    char *text = NULL;
    size_t length = 0;
    FILE *line = open_memstream(&text, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(line, "pinned-thread %d:", rank);
    write_units(line, " thread", &thread_at_first);
    pthread_getaffinity_np(thread, sizeof now, &now);
    write_units(line, " ->", &now);
    write_units(line, ", main", &main_at_first);
    pthread_getaffinity_np(pthread_self(), sizeof now, &now);
    write_units(line, " ->", &now);
    fclose(line);
    fprintf(stderr, "%s\n", text);
    free(text);
    return PMPI_Finalize();
}
