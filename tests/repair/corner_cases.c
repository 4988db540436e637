/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Applications that a replaced call must not make hang or wrong.
 *
 *     corner_cases alone     a broadcast whose root does not wait for the others
 *     corner_cases types     ranks that describe equal data by different types
 *     corner_cases threads   threads with communicators of their own; exits with 77 where the
 * library has none Prints "right" on rank 0 if all results are right. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 8, triples = 7000, ints = 3 * triples };
static int rank, ranks, wrong;

static void expect(int is_right) {
    wrong += !is_right;
}

/* Not portable, since a library may let the root wait; all libraries answer small calls at once. */
static void broadcast_before_message(MPI_Comm comm) {
    for (int i = 0; i < 10; ++i) {
        int sent = i, got = -1;
        if (rank == 0) {
            MPI_Bcast(&sent, 1, MPI_INT, 0, comm);
            for (int to = 1; to < ranks; ++to) MPI_Send(&sent, 1, MPI_INT, to, 0, comm);
        } else {
            MPI_Recv(&got, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
            MPI_Bcast(&sent, 1, MPI_INT, 0, comm);
            expect(got == i);
        }
        expect(sent == i);
    }
}

static void alone(void) {
    MPI_Comm made[5];
    const int sizes[1] = {ranks}, periodic[1] = {0};
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_dup(MPI_COMM_WORLD, &made[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made[1]);
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periodic, 0, &made[2]);
    MPI_Comm_create(MPI_COMM_WORLD, group, &made[3]);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &made[4]);
    MPI_Group_free(&group);
    broadcast_before_message(MPI_COMM_WORLD);
    for (int i = 0; i < 5; ++i) broadcast_before_message(made[i]), MPI_Comm_free(&made[i]);
}

/* Blocks of 21000 ints, which ranks describe as ints, as triples, or as one element. No segment of
 * a message has the same number of bytes in all of these. */
static void types(void) {
    static int own[most_ranks * ints], all[most_ranks * ints];
    MPI_Datatype kinds[3] = {MPI_INT};
    const int counts[3] = {ints, triples, 1};
    MPI_Type_contiguous(3, MPI_INT, &kinds[1]);
    MPI_Type_contiguous(ints, MPI_INT, &kinds[2]);
    MPI_Type_commit(&kinds[1]), MPI_Type_commit(&kinds[2]);
    for (int turn = 0; turn < 3; ++turn) {
        const int sent = (rank + turn) % 3, received = (rank + 1) % 3, root = turn % ranks;
        int block_counts[most_ranks], places[most_ranks];
        for (int i = 0; i < ranks; ++i)
            block_counts[i] = counts[received], places[i] = i * counts[received];
        for (int i = 0; i < ranks * ints; ++i) own[i] = 1000 * rank + i % 997 + turn, all[i] = -1;
        MPI_Allgather(own, counts[sent], kinds[sent], all, counts[received], kinds[received],
                      MPI_COMM_WORLD);
        for (int i = 0; i < ranks * ints; ++i)
            expect(all[i] == 1000 * (i / ints) + i % ints % 997 + turn);
        memset(all, 0, sizeof all);
        MPI_Gather(own, counts[sent], kinds[sent], all, counts[received], kinds[received], root,
                   MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < ranks * ints; ++i)
            expect(all[i] == 1000 * (i / ints) + i % ints % 997 + turn);
        MPI_Scatter(own, counts[sent], kinds[sent], all, counts[received], kinds[received], root,
                    MPI_COMM_WORLD);
        for (int i = 0; i < ints; ++i)
            expect(all[i] == 1000 * root + (rank * ints + i) % 997 + turn);
        MPI_Alltoall(own, counts[sent], kinds[sent], all, counts[received], kinds[received],
                     MPI_COMM_WORLD);
        for (int i = 0; i < ranks * ints; ++i)
            expect(all[i] == 1000 * (i / ints) + (rank * ints + i % ints) % 997 + turn);
        /* Which the library itself cannot do, so that a rule has to be about it. */
        memset(all, 0, sizeof all);
        if (getenv("WITH_ALLGATHERV") != NULL) {
            MPI_Allgatherv(own, counts[sent], kinds[sent], all, block_counts, places,
                           kinds[received], MPI_COMM_WORLD);
            for (int i = 0; i < ranks * ints; ++i)
                expect(all[i] == 1000 * (i / ints) + i % ints % 997 + turn);
        }
    }
    MPI_Type_free(&kinds[1]), MPI_Type_free(&kinds[2]);
}

/* Sums that round have the same bits on all ranks; short ones do not reach the limits of their type. */
static void sums(void) {
    enum { number = 100 };
    double numbers[number], sum[number], of_rank_0[number];
    unsigned short small[number], total[number];
    for (int turn = 0; turn < 5; ++turn) {
        for (int i = 0; i < number; ++i) {
            numbers[i] = 1.0 / (3 + i + 7 * rank + turn) * (i % 7 == rank ? 1e8 : 1.0);
            small[i] = (unsigned short)(i + turn);
        }
        MPI_Allreduce(numbers, sum, number, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        memcpy(of_rank_0, sum, sizeof sum);
        MPI_Bcast(of_rank_0, number, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        expect(memcmp(of_rank_0, sum, sizeof sum) == 0);
        MPI_Allreduce(small, total, number, MPI_UNSIGNED_SHORT, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < number; ++i) expect(total[i] == ranks * (i + turn));
    }
}

static void* work(void* comm) {
    for (int i = 0; i < 20; ++i) {
        MPI_Comm own;
        int sum = 0, sent = i;
        MPI_Comm_dup(*(MPI_Comm*)comm, &own);
        for (int k = 0; k < 5; ++k) {
            MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, own);
            MPI_Bcast(&sent, 1, MPI_INT, 0, own);
            if (sum != ranks * i || sent != i) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        }
        MPI_Barrier(own);
        MPI_Comm_free(&own);
    }
    return NULL;
}

static void threads(void) {
    enum { number = 2 };
    MPI_Comm comms[number];
    pthread_t running[number];
    for (int i = 0; i < number; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < number; ++i)
        if (pthread_create(&running[i], NULL, work, &comms[i]) != 0) abort();
    for (int i = 0; i < number; ++i) pthread_join(running[i], NULL);
    for (int i = 0; i < number; ++i) MPI_Comm_free(&comms[i]);
}

int main(int argc, char** argv) {
    int level, sum = 0;
    if (argc < 2) return 2;
    const int has_threads = strcmp(argv[1], "threads") == 0;
    MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 3);
    const int is_possible = !has_threads || level == MPI_THREAD_MULTIPLE;
    if (strcmp(argv[1], "alone") == 0) alone();
    if (strcmp(argv[1], "types") == 0) types();
    if (strcmp(argv[1], "sums") == 0) sums();
    if (has_threads && is_possible) threads();
    MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && sum == 0) printf("right\n");
    MPI_Finalize();
    return is_possible ? sum != 0 : 77;
}
