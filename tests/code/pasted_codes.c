/* SPDX-License-Identifier: BSD-3-Clause
 * Compares the code of each way with the call that the code replaces: on all kinds of blocks, types
 * and roots, with pointers of type POINTER. Prints each difference. codes.inc is what pasted_codes
 * prints. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_ranks = 8, guard = GUARD };

/* The arguments of a call by their names in the standard; of arguments for both sides one. */
struct call {
    void *sendbuf, *recvbuf, *buffer;
    int count, *counts, *displs;
    int *sendcounts, *sdispls, *recvcounts, *rdispls;
    MPI_Datatype type, *sendtypes, *recvtypes;
    MPI_Op op;
    int root;
    MPI_Comm comm;
};
struct code {
    const char *operation, *name, *needs;
    void (*run)(const struct call*);
};

#define ARGUMENT(name)                 \
    TYPE_OF_##name name = given->name; \
    (void)name;
#define TYPE_OF_sendbuf POINTER
#define TYPE_OF_recvbuf POINTER
#define TYPE_OF_buffer POINTER
#define TYPE_OF_count const int
#define TYPE_OF_counts const int*
#define TYPE_OF_displs const int*
#define TYPE_OF_sendcounts const int*
#define TYPE_OF_sdispls const int*
#define TYPE_OF_recvcounts const int*
#define TYPE_OF_rdispls const int*
#define TYPE_OF_type const MPI_Datatype
#define TYPE_OF_sendtypes const MPI_Datatype*
#define TYPE_OF_recvtypes const MPI_Datatype*
#define TYPE_OF_op const MPI_Op
#define TYPE_OF_root const int
#include "codes.inc"

static int rank, p;
static const char* now = "";

static void run_replaced(const char* operation, const struct call* c) {
    const char* const name = operation + strlen("MPI_");
#define IS(other) (strcmp(name, #other) == 0)
    if (IS(Gather))
        MPI_Gather(c->sendbuf, c->count, c->type, c->recvbuf, c->count, c->type, c->root, c->comm);
    if (IS(Gatherv))
        MPI_Gatherv(c->sendbuf, c->count, c->type, c->recvbuf, c->counts, c->displs, c->type,
                    c->root, c->comm);
    if (IS(Scatter))
        MPI_Scatter(c->sendbuf, c->count, c->type, c->recvbuf, c->count, c->type, c->root, c->comm);
    if (IS(Scatterv))
        MPI_Scatterv(c->sendbuf, c->counts, c->displs, c->type, c->recvbuf, c->count, c->type,
                     c->root, c->comm);
    if (IS(Allgather))
        MPI_Allgather(c->sendbuf, c->count, c->type, c->recvbuf, c->count, c->type, c->comm);
    if (IS(Allgatherv))
        MPI_Allgatherv(c->sendbuf, c->count, c->type, c->recvbuf, c->counts, c->displs, c->type,
                       c->comm);
    if (IS(Alltoall))
        MPI_Alltoall(c->sendbuf, c->count, c->type, c->recvbuf, c->count, c->type, c->comm);
    if (IS(Alltoallv))
        MPI_Alltoallv(c->sendbuf, c->sendcounts, c->sdispls, c->type, c->recvbuf, c->recvcounts,
                      c->rdispls, c->type, c->comm);
    if (IS(Alltoallw))
        MPI_Alltoallw(c->sendbuf, c->sendcounts, c->sdispls, c->sendtypes, c->recvbuf,
                      c->recvcounts, c->rdispls, c->recvtypes, c->comm);
    if (IS(Bcast)) MPI_Bcast(c->buffer, c->count, c->type, c->root, c->comm);
    if (IS(Reduce)) MPI_Reduce(c->sendbuf, c->recvbuf, c->count, c->type, c->op, c->root, c->comm);
    if (IS(Allreduce)) MPI_Allreduce(c->sendbuf, c->recvbuf, c->count, c->type, c->op, c->comm);
    if (IS(Reduce_scatter_block))
        MPI_Reduce_scatter_block(c->sendbuf, c->recvbuf, c->count, c->type, c->op, c->comm);
    if (IS(Reduce_scatter))
        MPI_Reduce_scatter(c->sendbuf, c->recvbuf, c->counts, c->type, c->op, c->comm);
    if (IS(Scan)) MPI_Scan(c->sendbuf, c->recvbuf, c->count, c->type, c->op, c->comm);
    if (IS(Exscan)) MPI_Exscan(c->sendbuf, c->recvbuf, c->count, c->type, c->op, c->comm);
    if (IS(Barrier)) MPI_Barrier(c->comm);
}

static int has(const struct code* code, const char* need) {
    return strstr(code->needs, need) != NULL;
}
static int is(const struct code* code, const char* operation) {
    return strcmp(code->operation, operation) == 0;
}

/* Operators on elements of one or two ints. Maps x -> ax + b do not commute; sums do. */
enum { numbers_in_type = 2 };
static struct {
    MPI_Datatype type;
    MPI_Aint lower, extent;
    int numbers;
    MPI_Aint at[numbers_in_type];
} types[3];
static int type_now;

static unsigned composed(unsigned a, unsigned b) {
    return (a & 0xffff) * (b & 0xffff) % 0x10000 |
           (((b & 0xffff) * (a >> 16) + (b >> 16)) % 0x10000) << 16;
}
static void reduce(void* in, void* inout, const int* length,
                   unsigned (*combined)(unsigned, unsigned)) {
    for (int i = 0; i < *length; ++i)
        for (int k = 0; k < types[type_now].numbers; ++k) {
            const MPI_Aint at = i * types[type_now].extent + types[type_now].at[k];
            unsigned a, b;
            memcpy(&a, (char*)in + at, sizeof a), memcpy(&b, (char*)inout + at, sizeof b);
            b = combined(a, b), memcpy((char*)inout + at, &b, sizeof b);
        }
}
static unsigned sum(unsigned a, unsigned b) {
    return a + b;
}
static void sums(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type, reduce(in, inout, length, sum);
}
static void maps(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type, reduce(in, inout, length, composed);
}
static MPI_Op op_sums, op_maps;

static void make_types(void) {
    const struct {
        MPI_Aint lower, extent;
        MPI_Aint at[numbers_in_type];
    } with_gaps[] = {{4, 24, {8, 16}}, {-12, 20, {-8, 0}}};
    types[0].type = MPI_INT, types[0].extent = sizeof(int), types[0].numbers = 1;
    for (int i = 1; i < 3; ++i) {
        const int lengths[numbers_in_type] = {1, 1};
        const MPI_Datatype ints[numbers_in_type] = {MPI_INT, MPI_INT};
        MPI_Datatype without_bounds;
        types[i].lower = with_gaps[i - 1].lower, types[i].extent = with_gaps[i - 1].extent;
        types[i].numbers = numbers_in_type;
        memcpy(types[i].at, with_gaps[i - 1].at, sizeof types[i].at);
        MPI_Type_create_struct(numbers_in_type, lengths, types[i].at, ints, &without_bounds);
        MPI_Type_create_resized(without_bounds, types[i].lower, types[i].extent, &types[i].type);
        MPI_Type_commit(&types[i].type), MPI_Type_free(&without_bounds);
    }
}

/* Memory for elements, with known bytes before and behind them. */
struct memory {
    char *bytes, *data;
    size_t size;
};
static struct memory make_memory(int elements, unsigned seed) {
    MPI_Aint lower, extent;
    MPI_Type_get_true_extent(types[type_now].type, &lower, &extent);
    struct memory made;
    made.size = 2 * guard + (elements > 0 ? (elements - 1) * types[type_now].extent + extent : 0);
    made.bytes = malloc(made.size + (made.size == 0));
    for (size_t i = 0; i < made.size; ++i)
        made.bytes[i] = (char)(seed = seed * 1103515245U + 12345U, seed >> 16);
    made.data = made.bytes + guard - lower;
    return made;
}

enum pattern { equal, irregular, with_empty, empty, patterns };
static int number(enum pattern pattern, int from, int to) {
    switch (pattern) {
        case equal:
            return 3;
        case irregular:
            return 1 + (from * 3 + to * 2) % 5;
        case with_empty:
            return (from + to) % 2 == 0 ? 0 : 2 + to;
        default:
            return 0;
    }
}

/* Sets lists of blocks that lie one behind the other, or with gaps and in reverse order. Returns
 * where they end. */
static int set_lists(int* counts, int* displs, int has_gaps) {
    int end = 0;
    for (int i = 0; i < p; ++i) {
        const int k = has_gaps ? p - 1 - i : i;
        displs[k] = end + has_gaps, end = displs[k] + counts[k];
    }
    return end;
}

struct sizes {
    int sent, received;
};

/* Sets the arguments of the call. Returns the elements of both buffers on this rank, or -1 if the
 * code needs other blocks. */
static struct sizes set_blocks(const struct code* code, enum pattern pattern, struct call* c) {
    static int counts[most_ranks], displs[most_ranks], sendcounts[most_ranks], sdispls[most_ranks],
        recvcounts[most_ranks], rdispls[most_ranks];
    static MPI_Datatype of_blocks[most_ranks];
    static const int vectors[patterns] = {12, 7, 1, 0};
    const struct sizes none = {-1, -1};
    const int is_row = is(code, "MPI_Alltoallv") || is(code, "MPI_Alltoallw");
    const int is_list = is(code, "MPI_Gatherv") || is(code, "MPI_Scatterv") ||
                        is(code, "MPI_Allgatherv") || is(code, "MPI_Reduce_scatter");
    const int are_adjacent = has(code, "without gaps");
    if (has(code, "equal blocks") && pattern != equal && pattern != empty) return none;
    c->counts = counts, c->displs = displs, c->sendcounts = sendcounts, c->sdispls = sdispls,
    c->recvcounts = recvcounts, c->rdispls = rdispls, c->sendtypes = c->recvtypes = of_blocks;
    if (is_row) {
        for (int k = 0; k < p; ++k)
            sendcounts[k] = number(pattern, rank, k), recvcounts[k] = number(pattern, k, rank),
            of_blocks[k] = c->type;
        const struct sizes made = {set_lists(sendcounts, sdispls, !are_adjacent),
                                   set_lists(recvcounts, rdispls, !are_adjacent)};
        for (int k = 0; k < p && is(code, "MPI_Alltoallw"); ++k)
            sdispls[k] *= (int)types[type_now].extent, rdispls[k] *= (int)types[type_now].extent;
        return made;
    }
    if (is_list) {
        for (int k = 0; k < p; ++k) counts[k] = number(pattern, k, 0);
        const int is_reduced = is(code, "MPI_Reduce_scatter");
        const int all = set_lists(counts, displs, !is_reduced && !are_adjacent), own = counts[rank];
        const int has_root = is(code, "MPI_Gatherv") || is(code, "MPI_Scatterv");
        c->count = own;
        if (has_root && rank != c->root) c->displs = NULL;
        if (has_root && rank != c->root && !has(code, "counts on all ranks")) c->counts = NULL;
        const struct sizes to_all = {own, all}, from_all = {all, own};
        return is_reduced || is(code, "MPI_Scatterv") ? from_all : to_all;
    }
    if (pattern == with_empty && strcmp(code->operation, "MPI_Barrier") == 0) return none;
    const int is_vector = is(code, "MPI_Bcast") || is(code, "MPI_Reduce") ||
                          is(code, "MPI_Allreduce") || is(code, "MPI_Scan") ||
                          is(code, "MPI_Exscan");
    c->count = is_vector ? vectors[pattern] : number(pattern, 1, 0);
    const int one = c->count, all = p * one;
    const struct sizes vector = {one, one}, to_all = {one, all}, from_all = {all, one},
                       both = {all, all};
    if (is_vector) return vector;
    if (is(code, "MPI_Alltoall")) return both;
    return is(code, "MPI_Scatter") || is(code, "MPI_Reduce_scatter_block") ? from_all : to_all;
}

static int compared, wrong;

/* Calls the code, or else the replaced operation, on fresh memory. */
static void run(const struct code* code, int is_code, struct call c, struct sizes sizes,
                struct memory* in, struct memory* out) {
    const int gathers = is(code, "MPI_Gather") || is(code, "MPI_Gatherv") || is(code, "MPI_Reduce");
    const int scatters = is(code, "MPI_Scatter") || is(code, "MPI_Scatterv");
    *in = make_memory(sizes.sent, 17U + (unsigned)rank),
    *out = make_memory(sizes.received, 91U + (unsigned)rank);
    c.sendbuf = in->data, c.recvbuf = out->data, c.buffer = out->data;
    if (gathers && rank != c.root) c.recvbuf = NULL;
    if (scatters && rank != c.root) c.sendbuf = NULL;
    if (is_code)
        code->run(&c);
    else
        run_replaced(code->operation, &c);
}

/* Maps where the code keeps their order. On 2^k ranks, MPI_Reduce_scatter of MPICH 4.0 writes
 * elsewhere if the operator does not commute and the type has another lower bound than 0. */
static MPI_Op op_for(const struct code* code) {
#ifdef MPICH_VERSION
    if (type_now > 0 && strstr(code->name, "educe_scatter") != NULL) return op_sums;
#endif
    return has(code, "commutative") ? op_sums : op_maps;
}

static void compare(const struct code* code, enum pattern pattern, int root) {
    struct call c = {
        .type = types[type_now].type, .op = op_for(code), .root = root, .comm = MPI_COMM_WORLD};
    const struct sizes sizes = set_blocks(code, pattern, &c);
    if (sizes.sent < 0) return;
    struct memory in[2], out[2];
    now = code->name, ++compared;
    for (int is_code = 0; is_code < 2; ++is_code)
        run(code, is_code, c, sizes, &in[is_code], &out[is_code]);
    if (memcmp(out[0].bytes, out[1].bytes, out[0].size) != 0 ||
        memcmp(in[0].bytes, in[1].bytes, in[0].size) != 0) {
        printf("DIFFERS: %s, type %d, pattern %d, root %d, rank %d of %d\n", code->name, type_now,
               pattern, root, rank, p);
        ++wrong;
    }
    for (int i = 0; i < 2; ++i) free(in[i].bytes), free(out[i].bytes);
}

static void crashed(int signal) {
    fprintf(stderr, "rank %d: signal %d in %s, type %d\n", rank, signal, now, type_now);
    _exit(1);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv), MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char* const wanted = argc > 1 ? argv[1] : "";
    signal(SIGSEGV, crashed), signal(SIGABRT, crashed);
    make_types();
    MPI_Op_create(sums, 1, &op_sums), MPI_Op_create(maps, 0, &op_maps);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i)
        for (type_now = 0; type_now < 3; ++type_now) {
            if (strstr(codes[i].name, wanted) == NULL) continue;
            if (type_now > 0 && has(&codes[i], "numbers")) continue;
#ifdef OPEN_MPI
            /* On one rank, Open MPI 4.1 multiplies displacements in bytes by the extent of the
             * type. */
            if (p == 1 && strstr(codes[i].name, "Alltoallw") != NULL) continue;
#endif
#ifdef MPICH_VERSION
            /* On one rank, MPICH 4.0 takes no notice of the displacements. */
            if (p == 1 && strstr(codes[i].name, "llgatherv") != NULL) continue;
#endif
            for (int pattern = 0; pattern < patterns; ++pattern)
                for (int root = 0; root<p; root += p> 1 ? p - 1 : 1)
                    compare(&codes[i], pattern, root);
        }
    MPI_Op_free(&op_sums), MPI_Op_free(&op_maps), MPI_Type_free(&types[1].type),
        MPI_Type_free(&types[2].type);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("compared %d, wrong %d\n", compared, wrong);
    MPI_Finalize();
    return wrong != 0;
}
