/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application: every collective with all that is legal and awkward. Each rank writes what it got, so that a
 * test can compare it with what it gets when calls take other paths.
 *
 *     nasty FILE [threads | begun]     writes FILE.rank; begun: also calls that begin collectives */
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *results;
static int copies; /* of an attribute of ours: what MPI_Comm_dup would make */

static void note(const char *what, int n, const void *data, size_t bytes) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; ++i) hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001B3u;
    fprintf(results, "%s %d %016llx\n", what, n, (unsigned long long)hash);
}

/* Where nothing may be written; and where a rank that has no argument has nothing. */
static void *volatile nowhere = (void *)1;
#define NOWHERE nowhere
#define GAP 0x5A5A5A5A

typedef struct {
    MPI_Comm comm;
    int rank, ranks, n; /* ints in a block: even */
    MPI_Datatype pair;  /* two ints with a gap before and behind: of extent 16 */
    int *sent, *got;
    int count; /* of sent and got */
    int seed;
} Call;

/* Of odd ranks an element is a pair with gaps, of the others an int. */
static int has_pairs(const Call *c, int rank) { return rank % 2 == 1 && c->n > 0; }
static MPI_Datatype type_of(const Call *c) { return has_pairs(c, c->rank) ? c->pair : MPI_INT; }
static int elements(const Call *c, int ints) { return has_pairs(c, c->rank) ? ints / 2 : ints; }

/* For the next call: other numbers than for the one before. */
static void fill(Call *c) {
    ++c->seed;
    for (int i = 0; i < c->count; ++i) {
        c->sent[i] = 1000003 * (c->rank + 1) + 17 * c->seed + i;
        c->got[i] = GAP;
    }
}

/* The first ints of what a call has got. */
static void note_ints(Call *c, const char *what, int ints) {
    note(what, c->n, c->got, sizeof(int) * (size_t)ints);
    fill(c);
}
static void note_got(Call *c, const char *what) { note_ints(c, what, c->count); }

static void rooted(Call *c, int root) {
    const int is_root = c->rank == root, n = elements(c, c->n);
    const MPI_Datatype type = type_of(c);
    MPI_Bcast(is_root ? c->sent : c->got, n, type, root, c->comm);
    note_got(c, "bcast");

    if (is_root)
        MPI_Gather(c->sent, n, type, c->got, n, type, root, c->comm);
    else
        MPI_Gather(c->sent, n, type, NOWHERE, -7, MPI_DATATYPE_NULL, root, c->comm);
    note_got(c, "gather");
    if (is_root)
        MPI_Gather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, c->got, c->n, MPI_INT, root, c->comm);
    else
        MPI_Gather(c->sent, n, type, NULL, 0, MPI_DATATYPE_NULL, root, c->comm);
    note_got(c, "gather in place");

    if (is_root)
        MPI_Scatter(c->sent, n, type, c->got, n, type, root, c->comm);
    else
        MPI_Scatter(NOWHERE, -7, MPI_DATATYPE_NULL, c->got, n, type, root, c->comm);
    note_got(c, "scatter");
    if (is_root)
        MPI_Scatter(c->sent, n, type, MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, root, c->comm);
    else
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, c->got, n, type, root, c->comm);
    note_got(c, "scatter in place");

    MPI_Reduce(c->sent, is_root ? c->got : NULL, c->n, MPI_INT, MPI_SUM, root, c->comm);
    note_got(c, "reduce");
    /* MPICH before 4.1 reads MPI_IN_PLACE as an address when long vectors are reduced to another root. */
    MPI_Reduce(is_root ? MPI_IN_PLACE : c->sent, is_root ? c->got : NULL, root == 0 || c->n < 100 ? c->n : 100,
               MPI_INT, MPI_BXOR, root, c->comm);
    note_got(c, "reduce in place");
}

/* Blocks of n, 0, n + 2 ... ints, the last one first, with gaps between them. */
static int block(const Call *c, int rank) { return rank % 3 == 1 ? 0 : c->n + 2 * rank; }
static void blocks(const Call *c, int *counts, int *displs, int divisor) {
    int at = 1;
    for (int rank = c->ranks - 1; rank >= 0; --rank) {
        counts[rank] = block(c, rank) / divisor;
        displs[rank] = at;
        at += counts[rank] + 1;
    }
}

static void irregular(Call *c, int root) {
    const int is_root = c->rank == root, own = block(c, c->rank);
    const int n = has_pairs(c, c->rank) ? own / 2 : own;
    const MPI_Datatype type = type_of(c);
    int *counts = calloc((size_t)c->ranks, sizeof(int)), *displs = calloc((size_t)c->ranks, sizeof(int));
    blocks(c, counts, displs, 1);
    if (is_root)
        MPI_Gatherv(c->sent, n, type, c->got, counts, displs, MPI_INT, root, c->comm);
    else
        MPI_Gatherv(own == 0 ? NULL : c->sent, n, type, NOWHERE, NULL, NULL, MPI_DATATYPE_NULL, root,
                    c->comm);
    note_got(c, "gatherv");
    if (is_root)
        MPI_Gatherv(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, c->got, counts, displs, MPI_INT, root, c->comm);
    else
        MPI_Gatherv(c->sent, n, type, NULL, NOWHERE, NOWHERE, MPI_DATATYPE_NULL, root, c->comm);
    note_got(c, "gatherv in place");
    if (is_root)
        MPI_Scatterv(c->sent, counts, displs, MPI_INT, c->got, n, type, root, c->comm);
    else
        MPI_Scatterv(NOWHERE, NULL, NULL, MPI_DATATYPE_NULL, own == 0 ? NULL : c->got, n, type, root,
                     c->comm);
    note_got(c, "scatterv");
    if (is_root)
        MPI_Scatterv(c->sent, counts, displs, MPI_INT, MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, root, c->comm);
    else
        MPI_Scatterv(NULL, NOWHERE, NOWHERE, MPI_DATATYPE_NULL, c->got, n, type, root, c->comm);
    note_got(c, "scatterv in place");

    blocks(c, counts, displs, has_pairs(c, c->rank) ? 2 : 1);
    MPI_Allgatherv(c->sent, n, type, c->got, counts, displs, type, c->comm);
    note_got(c, "allgatherv");
    MPI_Allgatherv(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, c->got, counts, displs, type, c->comm);
    note_got(c, "allgatherv in place");
    free(counts);
    free(displs);
}

static void symmetric(Call *c) {
    const int n = elements(c, c->n);
    const MPI_Datatype type = type_of(c);
    MPI_Allgather(c->sent, n, type, c->got, n, type, c->comm);
    note_got(c, "allgather");
    MPI_Allgather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, c->got, n, type, c->comm);
    note_got(c, "allgather in place");
    MPI_Alltoall(c->sent, n, type, c->got, n, type, c->comm);
    note_got(c, "alltoall");
    memcpy(c->got, c->sent, sizeof(int) * (size_t)c->count);
    MPI_Alltoall(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, c->got, c->n, MPI_INT, c->comm);
    note_got(c, "alltoall in place");
    MPI_Barrier(c->comm);
}

/* Between ranks i and j as many as the two agree on, nothing between some. */
static void rows(Call *c) {
    int *counts = calloc((size_t)c->ranks, sizeof(int)), *displs = calloc((size_t)c->ranks, sizeof(int));
    int *bytes = calloc((size_t)c->ranks, sizeof(int));
    MPI_Datatype *types = calloc((size_t)c->ranks, sizeof(MPI_Datatype));
    int at = 0;
    for (int i = 0; i < c->ranks; ++i) {
        counts[i] = (i + c->rank) % 3 == 0 ? 0 : c->n + 2 * (i + c->rank);
        displs[i] = at;
        bytes[i] = 4 * at;
        types[i] = MPI_INT;
        at += counts[i] + 1;
    }
    MPI_Alltoallv(c->sent, counts, displs, MPI_INT, c->got, counts, displs, MPI_INT, c->comm);
    note_got(c, "alltoallv");
    memcpy(c->got, c->sent, sizeof(int) * (size_t)c->count);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, c->got, counts, displs, MPI_INT, c->comm);
    note_got(c, "alltoallv in place");
    MPI_Alltoallw(c->sent, counts, bytes, types, c->got, counts, bytes, types, c->comm);
    note_got(c, "alltoallw");
    free(counts);
    free(displs);
    free(bytes);
    free(types);
}

/* Does not commute: (a, b) then (c, d) is (a c, b c + d) of numbers modulo 2^32. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type) {
    (void)type;
    for (unsigned *l = left, *r = right; r < (unsigned *)right + 2 * *count; l += 2, r += 2) {
        r[1] = l[1] * r[0] + r[1];
        r[0] = l[0] * r[0];
    }
}

/* They show the order in which a library adds. */
static void sums_of_numbers(Call *c) {
    double numbers[64], sums[64];
    char what[32];
    snprintf(what, sizeof what, "sums on %d ranks", c->ranks);
    for (int i = 0; i < 64; ++i) numbers[i] = 1.0 / (3 + 11 * c->rank + i);
    for (int n = 4; n <= 64; n += n == 5 ? 15 : n == 21 ? 43 : 1) {
        MPI_Allreduce(numbers, sums, n, MPI_DOUBLE, MPI_SUM, c->comm);
        note(what, n, sums, sizeof *sums * (size_t)n);
    }
    snprintf(what, sizeof what, "blocks on %d ranks", c->ranks);
    for (int n = 1; n <= 6; n += n == 2 ? 3 : 1) {
        MPI_Reduce_scatter_block(numbers, sums, n, MPI_DOUBLE, MPI_SUM, c->comm);
        note(what, n, sums, sizeof *sums * (size_t)n);
    }
}

static void reductions(Call *c) {
    struct {
        double value;
        int place;
    } at[3], most[3];
    int *counts = calloc((size_t)c->ranks, sizeof(int));
    MPI_Allreduce(c->sent, c->got, c->n, MPI_INT, MPI_MAX, c->comm);
    note_got(c, "allreduce");
    memcpy(c->got, c->sent, sizeof(int) * (size_t)c->n);
    MPI_Allreduce(MPI_IN_PLACE, c->got, c->n, MPI_INT, MPI_SUM, c->comm);
    note_got(c, "allreduce in place");
    for (int i = 0; i < 3; ++i) {
        memset(&at[i], 0, sizeof at[i]);
        at[i].value = (c->rank * 7 + i) % 4;
        at[i].place = c->rank;
    }
    memset(most, 0, sizeof most);
    MPI_Allreduce(at, most, 3, MPI_DOUBLE_INT, MPI_MAXLOC, c->comm);
    for (int i = 0; i < 3; ++i) note("maxloc", most[i].place, &most[i].value, sizeof(double));
    sums_of_numbers(c);
    MPI_Op op;
    MPI_Datatype two;
    MPI_Op_create(compose, 0, &op);
    MPI_Type_contiguous(2, MPI_UNSIGNED, &two);
    MPI_Type_commit(&two);
    MPI_Allreduce(c->sent, c->got, c->n / 2, two, op, c->comm);
    note_got(c, "allreduce of an operation that does not commute");
    MPI_Reduce(c->sent, c->got, c->n / 2, two, op, c->ranks - 1, c->comm);
    note_ints(c, "reduce of it", c->rank == c->ranks - 1 ? c->count : 0);
    MPI_Scan(c->sent, c->got, c->n / 2, two, op, c->comm);
    note_got(c, "scan of it");
    MPI_Op_free(&op);
    MPI_Type_free(&two);

    MPI_Scan(c->sent, c->got, c->n, MPI_INT, MPI_SUM, c->comm);
    note_got(c, "scan");
    memcpy(c->got, c->sent, sizeof(int) * (size_t)c->n);
    /* Each rank may say for itself that it is in place. */
    MPI_Scan(c->rank % 2 ? MPI_IN_PLACE : c->sent, c->got, c->n, MPI_INT, MPI_BOR, c->comm);
    note_got(c, "scan in place");
    MPI_Exscan(c->sent, c->got, c->n, MPI_INT, MPI_SUM, c->comm);
    note_ints(c, "exscan", c->rank > 0 ? c->count : 0);

    MPI_Reduce_scatter_block(c->sent, c->got, c->n, MPI_INT, MPI_SUM, c->comm);
    note_got(c, "reduce_scatter_block");
    memcpy(c->got, c->sent, sizeof(int) * (size_t)c->count);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, c->got, c->n, MPI_INT, MPI_MIN, c->comm);
    note_ints(c, "reduce_scatter_block in place", c->n);
    for (int i = 0; i < c->ranks; ++i) counts[i] = block(c, i);
    MPI_Reduce_scatter(c->sent, c->got, counts, MPI_INT, MPI_SUM, c->comm);
    note_got(c, "reduce_scatter");
    memcpy(c->got, c->sent, sizeof(int) * (size_t)c->count);
    MPI_Reduce_scatter(MPI_IN_PLACE, c->got, counts, MPI_INT, MPI_BAND, c->comm);
    note_ints(c, "reduce_scatter in place", counts[c->rank]);
    free(counts);
}

static void all_collectives(MPI_Comm comm, int n) {
    Call c;
    c.comm = comm;
    c.n = n;
    MPI_Comm_rank(comm, &c.rank);
    MPI_Comm_size(comm, &c.ranks);
    /* Room for blocks of pairs, which take twice as much, and for gaps. */
    c.count = 4 * c.ranks * (n + 4 * c.ranks + 4) + 64;
    c.sent = malloc(sizeof(int) * (size_t)c.count);
    c.got = malloc(sizeof(int) * (size_t)c.count);
    c.seed = 0;
    fill(&c);
    MPI_Datatype inner;
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {4, 8};
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, ints, &inner);
    MPI_Type_create_resized(inner, 0, 16, &c.pair);
    MPI_Type_commit(&c.pair);
    MPI_Type_free(&inner);
    for (int root = 0; root < c.ranks; root += c.ranks > 2 ? c.ranks - 1 : 1) {
        rooted(&c, root);
        irregular(&c, root);
    }
    symmetric(&c);
    rows(&c);
    reductions(&c);
    MPI_Type_free(&c.pair);
    free(c.sent);
    free(c.got);
}

/* A receive of anything that is there before the collectives gets what was sent to it, and nothing else. */
static void with_a_wildcard(MPI_Comm comm) {
    int rank, ranks, got = -1, value;
    MPI_Request request;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    /* Alone, MPICH 4.0.2 does not come back from MPI_Alltoall then. */
    if (ranks == 1) return;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    all_collectives(comm, 10);
    value = 1000 + rank;
    MPI_Send(&value, 1, MPI_INT, (rank + 1) % ranks, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    note("wildcard", got, &got, sizeof got);
}

static void between_groups(MPI_Comm world) {
    MPI_Comm half, inter;
    int rank, ranks, one = 1, all[64];
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    if (ranks < 2) return;
    const int side = rank >= ranks / 2;
    MPI_Comm_split(world, side, rank, &half);
    MPI_Intercomm_create(half, 0, world, side ? 0 : ranks / 2, 5, &inter);
    memset(all, 0, sizeof all);
    one = rank + 1;
    MPI_Allreduce(&one, all, 1, MPI_INT, MPI_SUM, inter);
    note("inter allreduce", 1, all, sizeof all);
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, inter);
    note("inter allgather", 1, all, sizeof all);
    MPI_Bcast(&one, 1, MPI_INT, side ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    note("inter bcast", 1, &one, sizeof one);
    MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, side ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    note("inter gather", 1, all, sizeof all);
    MPI_Barrier(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Errors come back to who asked for that, and the communicator is not harmed. */
static void errors(MPI_Comm world) {
    MPI_Comm comm;
    int both[2] = {0, 1}; /* what follows the result is what was sent */
    int *const sum = both, *const value = both + 1;
    MPI_Comm_dup(world, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; ++i) MPI_Allreduce(value, sum, 1, MPI_INT, MPI_SUM, comm);
    const int is_error = MPI_Bcast(value, 1, MPI_INT, 77, comm) != MPI_SUCCESS;
    note("error", is_error, sum, sizeof *sum);
    MPI_Comm_free(&comm);
}

static int count_copy(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag) {
    (void)comm, (void)key, (void)extra, (void)value, (void)copy;
    ++copies;
    *flag = 0;
    return MPI_SUCCESS;
}

static void files(MPI_Comm world, const char *name) {
    MPI_File file;
    int rank, value = 0;
    char path[4096];
    MPI_Comm_rank(world, &rank);
    snprintf(path, sizeof path, "%s.data", name);
    MPI_File_open(world, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(world);
    MPI_File_read_at_all(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    note("file", value, &value, sizeof value);
}

/* Some on half of the ranks. */
static void begin_collectives(MPI_Comm comm) {
    int rank, ranks, sum = 0, numbers[2] = {1, 2};
    MPI_Comm half;
    MPI_Request request;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < 3; ++i) {
        MPI_Ibcast(numbers, 2, MPI_INT, ranks - 1, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_split(comm, 2 * rank < ranks, rank, &half);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
#if defined(MPIAUDIT_HAS_MPI4_PERSISTENT)
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
#else
    MPIX_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
#endif
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

int main(int argc, char **argv) {
    int rank, ranks, level, key, wants_threads = argc > 2 && strcmp(argv[2], "threads") == 0;
    char name[4096];
    MPI_Comm comm;
    MPI_Init_thread(&argc, &argv, wants_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    results = fopen(name, "w");
    if (results == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
    for (int n = 0; n <= 3000; n = n == 0 ? 2 : n == 2 ? 10 : n * 300) all_collectives(MPI_COMM_WORLD, n);
    with_a_wildcard(MPI_COMM_WORLD);
    /* The other way round; and halves of different sizes. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    all_collectives(comm, 10);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 0, rank, &comm);
    all_collectives(comm, 10);
    MPI_Comm_free(&comm);
    all_collectives(MPI_COMM_SELF, 10);
    /* That come and go. */
    for (int i = 0; i < 20; ++i) {
        int sum = 0;
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
        for (int k = 0; k < 4; ++k) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        note("come and go", i, &sum, sizeof sum);
        MPI_Comm_free(&comm);
    }
    between_groups(MPI_COMM_WORLD);
    errors(MPI_COMM_WORLD);
    files(MPI_COMM_WORLD, argv[1]);
    note("copies", copies, &copies, sizeof copies);
    if (argc > 2 && strcmp(argv[2], "begun") == 0) begin_collectives(MPI_COMM_WORLD);
    fclose(results);
    MPI_Finalize();
    return 0;
}
