/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application that does to its communicators, processes and buffers what hardly any other does.
 * Each rank writes what it got, so that a test can compare it with what it gets when it is
 * recorded.
 *
 *     adversary FILE [COMMUNICATORS]     writes FILE.rank; makes and frees as many communicators,
 * and prints by how many KiB the memory of rank 0 grew in the second half of them */
#define _DEFAULT_SOURCE
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { n = 6 };
static FILE* results;
static int rank, ranks;

static void note(const char* what, const int* numbers, int count) {
    fprintf(results, "%s", what);
    for (int i = 0; i < count; ++i) fprintf(results, " %d", numbers[i]);
    fprintf(results, "\n");
}

static void calls_on(MPI_Comm comm, const char* what) {
    int sums[n], all[64 * n], own[n], size;
    MPI_Comm_size(comm, &size);
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < n; ++i) own[i] = 100 * rank + i + round;
        MPI_Allreduce(own, sums, n, MPI_INT, MPI_SUM, comm);
        MPI_Allgather(own, n, MPI_INT, all, n, MPI_INT, comm);
        MPI_Bcast(own, n, MPI_INT, size - 1, comm);
        note(what, sums, n);
        note(what, all, size * n);
        note(what, own, n);
    }
}

/* Called while the attributes of a communicator are deleted, which can be used still. */
static int call_on_the_dying(MPI_Comm comm, int key, void* value, void* extra) {
    (void)key, (void)extra;
    calls_on(comm, value);
    return MPI_SUCCESS;
}

static int copy_with_calls(MPI_Comm comm, int key, void* extra, void* value, void* copy,
                           int* flag) {
    (void)key, (void)extra;
    calls_on(comm, "copied");
    *(void**)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static void attributes(void) {
    MPI_Comm comm, copy;
    int first, last;
    MPI_Comm_create_keyval(copy_with_calls, call_on_the_dying, &first, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_on_the_dying, &last, NULL);
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
        MPI_Comm_set_attr(comm, first, (void*)"before ours");
        calls_on(comm, "attributes");
        MPI_Comm_set_attr(comm, last, (void*)"behind ours");
        MPI_Comm_dup(comm, &copy);
        calls_on(copy, "copy");
        MPI_Comm_free(&comm);
        /* Which may have the handle of the one that is gone, and other ranks. */
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
        calls_on(comm, "halves");
        MPI_Comm_free(&comm);
        MPI_Comm_free(&copy);
    }
    /* Deleted while MPI finalizes. */
    MPI_Comm_set_attr(MPI_COMM_SELF, last, (void*)"finalizing");
    MPI_Comm_free_keyval(&first);
    MPI_Comm_free_keyval(&last);
}

/* A type of absolute addresses, of every other of the ints. */
static MPI_Datatype absolute(int* ints) {
    MPI_Datatype type;
    MPI_Aint at[n];
    int ones[n];
    MPI_Datatype types[n];
    for (int i = 0; i < n; ++i) {
        MPI_Get_address(ints + 2 * i, &at[i]);
        ones[i] = 1;
        types[i] = MPI_INT;
    }
    MPI_Type_create_struct(n, ones, at, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void bottom(void) {
    int own[2 * n], got[2 * n], all[64 * n];
    const MPI_Datatype from = absolute(own), to = absolute(got);
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 2 * n; ++i) own[i] = 100 * rank + i + round, got[i] = -1;
        MPI_Bcast(MPI_BOTTOM, 1, rank == 0 ? from : to, 0, MPI_COMM_WORLD);
        note("bottom bcast", got, 2 * n);
        memset(all, 0, sizeof all);
        MPI_Allgather(MPI_BOTTOM, 1, from, all, n, MPI_INT, MPI_COMM_WORLD);
        note("bottom allgather", all, ranks * n);
        MPI_Gather(MPI_BOTTOM, 1, from, all, n, MPI_INT, 0, MPI_COMM_WORLD);
        note("bottom gather", all, ranks * n);
        MPI_Scatter(all, n, MPI_INT, MPI_BOTTOM, 1, to, 0, MPI_COMM_WORLD);
        note("bottom scatter", got, 2 * n);
        MPI_Alltoall(all, n, MPI_INT, all + 32 * n, n, MPI_INT, MPI_COMM_WORLD);
        note("alltoall", all + 32 * n, ranks * n);
    }
    MPI_Type_free((MPI_Datatype*)&from);
    MPI_Type_free((MPI_Datatype*)&to);
}

/* Children that end in each way; none of them calls MPI. */
static void children(void) {
    int status = 0, codes[4];
    fflush(NULL);
    for (int way = 0; way < 2; ++way) {
        const pid_t child = fork();
        if (child == 0) {
            if (way == 0) exit(7);
            _exit(8);
        }
        waitpid(child, &status, 0);
        codes[way] = WEXITSTATUS(status);
    }
    codes[2] = WEXITSTATUS(system("exit 9"));
    FILE* pipe = popen("echo 10 2>&1", "r");
    if (pipe == NULL || fscanf(pipe, "%d", &codes[3]) != 1) codes[3] = -1;
    if (pipe != NULL) pclose(pipe);
    note("children", codes, 4);
    calls_on(MPI_COMM_WORLD, "parent");
}

static void* call_in_a_thread(void* what) {
    calls_on(MPI_COMM_WORLD, what);
    return NULL;
}

/* One after the other, as MPI_THREAD_SERIALIZED has it. */
static void threads(void) {
    for (int i = 0; i < 3; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, call_in_a_thread, (void*)"thread") != 0) abort();
        pthread_join(thread, NULL);
    }
}

static long largest_kib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void come_and_go(int communicators) {
    int sum = 0, sums = 0;
    long halfway_kib = 0;
    for (int i = 0; i < communicators; ++i) {
        if (2 * i == communicators) halfway_kib = largest_kib();
        MPI_Comm comm;
        if (i % 2 == 0)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        else
            MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
        for (int k = 0; k < 4; ++k) MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_MAX, comm);
        sums = (sums + sum) % 1000003;
        MPI_Comm_free(&comm);
    }
    note("come and go", &sums, 1);
    if (rank == 0) printf("%ld\n", largest_kib() - halfway_kib);
}

int main(int argc, char** argv) {
    int level;
    char name[4096];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    results = fopen(name, "w");
    setlocale(LC_ALL, "");
    if (results == NULL || ranks > 32) MPI_Abort(MPI_COMM_WORLD, 3);
    calls_on(MPI_COMM_WORLD, "world");
    attributes();
    bottom();
    children();
    if (level >= MPI_THREAD_SERIALIZED) threads();
    if (argc > 2) come_and_go(atoi(argv[2]));
    MPI_Finalize();
    fclose(results);
    return 0;
}
