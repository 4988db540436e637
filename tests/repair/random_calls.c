/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An application of random calls, legal and awkward: types with gaps, negative lower bounds and
 * descending blocks, communicators that come and go, operators of its own, calls in place, without
 * data, on inter-communicators, and calls that return errors.
 *
 *     random_calls SEED STEPS      prints a hash for each rank
 *
 * A hash is of all bytes of both buffers after each call, gaps included, and of the codes that calls
 * return. RANDOM_CALLS_TRACE in the environment prints the hash after each step. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 16, ints = 1 << 15, middle = ints / 2, kinds = 8, bytes_kind = 7 };

/* A type, and how many ints an element has; 0 for bytes, of which an int has four. */
static struct {
    MPI_Datatype type;
    int ints;
} element[kinds];
static MPI_Comm comms[7], inter = MPI_COMM_NULL;
enum { dup = 1, reversed = 2, ring = 3, halves = 4, self = 5, changing = 6, number_of_comms = 7 };
static int sent[ints], got[ints];
static uint64_t state, hash = 0xCBF29CE484222325u;
static int copies, deletions; /* of an attribute */
static int world_rank, world_ranks;

/* All ranks draw the same numbers. */
static int draw(int number) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (int)((state >> 11) % (uint64_t)number);
}
static void add(const void* data, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ ((const unsigned char*)data)[i]) * 0x100000001B3u;
}

static void make_types(void) {
    const int ones[2] = {1, 1}, descending[2] = {4, 0};
    const int size = 4, part = 2, first = 1;
    const MPI_Aint around[2] = {-8, 4};
    MPI_Datatype short_one;
    element[0].type = MPI_INT;
    MPI_Type_contiguous(2, MPI_INT, &element[1].type);
    MPI_Type_vector(2, 1, 3, MPI_INT, &element[2].type);
    MPI_Type_create_resized(MPI_INT, -8, 16, &element[3].type);
    MPI_Type_indexed(2, ones, descending, MPI_INT, &short_one);
    MPI_Type_create_resized(short_one, 0, 24, &element[4].type);
    MPI_Type_free(&short_one);
    MPI_Type_create_hindexed(2, ones, around, MPI_INT, &element[5].type);
    MPI_Type_create_subarray(1, &size, &part, &first, MPI_ORDER_C, MPI_INT, &element[6].type);
    element[bytes_kind].type = MPI_BYTE;
    for (int i = 0; i < kinds; ++i) {
        element[i].ints = i == 0 || i == 3 ? 1 : i == bytes_kind ? 0 : 2;
        if (i > 0 && i != bytes_kind) MPI_Type_commit(&element[i].type);
    }
}
static int elements(int kind, int number_of_ints) {
    return kind == bytes_kind ? 4 * number_of_ints : number_of_ints / element[kind].ints;
}

/* Products of matrices of 2 x 2 unsigned numbers, which do not commute. */
static void multiply(void* left, void* right, int* length, MPI_Datatype* type) {
    const unsigned* a = left;
    unsigned* b = right;
    (void)type;
    for (int i = 0; i < *length; ++i, a += 4, b += 4) {
        const unsigned product[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                                     a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        memcpy(b, product, sizeof product);
    }
}
/* Sums of the two ints of element[4]. */
static void add_pairs(void* left, void* right, int* length, MPI_Datatype* type) {
    const unsigned* a = left;
    unsigned* b = right;
    (void)type;
    for (int i = 0; i < *length; ++i, a += 6, b += 6) b[0] += a[0], b[4] += a[4];
}

static int copied(MPI_Comm comm, int key, void* extra, void* in, void* out, int* keeps) {
    (void)comm, (void)key, (void)extra;
    ++copies;
    *(void**)out = in;
    *keeps = 1;
    return MPI_SUCCESS;
}
static int deleted(MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    ++deletions;
    return MPI_SUCCESS;
}

static void make_communicators(void) {
    const int sizes[1] = {world_ranks}, periodic[1] = {1};
    int key;
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[dup]);
    MPI_Comm_create_keyval(copied, deleted, &key, NULL);
    MPI_Comm_set_attr(comms[dup], key, NULL);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comms[reversed]);
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periodic, 0, &comms[ring]);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &comms[halves]);
    comms[self] = MPI_COMM_SELF;
    MPI_Comm_dup(comms[reversed], &comms[changing]);
    if (world_ranks == 1) return;
    MPI_Comm half;
    const int is_low = world_rank < world_ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, world_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? world_ranks / 2 : 0, 7, &inter);
    MPI_Comm_free(&half);
}

/* What a step has drawn. */
typedef struct {
    MPI_Comm comm;
    int rank, ranks, root;
    int length;                    /* ints of a block or vector: even */
    MPI_Datatype from, to;         /* types of what is sent and received */
    int from_kind, to_kind, seed;
    int send_count, receive_count; /* elements of a block */
    int send_counts[most_ranks], receive_counts[most_ranks]; /* of blocks of different sizes */
    int send_places[most_ranks], receive_places[most_ranks];
    int reduce_counts[most_ranks], count; /* of a reduction */
    MPI_Datatype type;
    MPI_Op op;
    int is_in_place;
} Step;

static MPI_Op matrices, pairs;
static MPI_Datatype matrix;

static void draw_reduction(Step* s) {
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_BXOR, MPI_MAX, MPI_MIN, MPI_BAND, MPI_LOR};
    const struct {
        MPI_Op op;
        MPI_Datatype type;
        int ints; /* of an element; 0: bytes */
    } kind[] = {{ops[s->seed % 7], MPI_INT, 1},
                {matrices, matrix, 4},
                {pairs, element[4].type, 2},
                {s->seed % 2 ? MPI_MINLOC : MPI_MAXLOC, MPI_2INT, 2},
                {s->seed % 2 ? MPI_SUM : MPI_PROD, MPI_DOUBLE, 2},
                {MPI_BXOR, MPI_BYTE, 0},
                {MPI_SUM, MPI_UNSIGNED, 1},
                {MPI_SUM, MPI_UNSIGNED_SHORT, 1},
                {MPI_LXOR, MPI_C_BOOL, 1}};
    const int chosen = draw((int)(sizeof kind / sizeof *kind));
    s->op = kind[chosen].op, s->type = kind[chosen].type;
    s->count = kind[chosen].ints == 0 ? 4 * s->length : s->length / kind[chosen].ints;
    for (int i = 0; i < s->ranks; ++i) s->reduce_counts[i] = 2 * ((7 * i + s->seed) % 5) / 2;
    if (s->type == MPI_DOUBLE)
        for (int i = 0; i < ints / 2; ++i) {
            ((double*)(void*)sent)[i] = 1.0 + (i * 31 + world_rank * 17 + s->seed) % 1000 * 1e-4;
            ((double*)(void*)got)[i] = 1.0 + (i * 37 + world_rank * 19 + s->seed) % 1000 * 1e-4;
        }
    if (s->type == MPI_C_BOOL)
        for (int i = 0; i < ints; ++i) sent[i] &= 0x01010101, got[i] &= 0x01010101;
}

static void draw_step(Step* s) {
    s->comm = comms[draw(number_of_comms)];
    MPI_Comm_size(s->comm, &s->ranks), MPI_Comm_rank(s->comm, &s->rank);
    /* Halves may have different sizes: the ranks of each have to know their root alike. */
    s->root = draw(1000) % s->ranks;
    s->seed = draw(1000000);
    const int sizes[] = {0, 2 * (1 + draw(8)), 2 * (1 + draw(8)), 2 * (1 + draw(300))};
    s->length = sizes[draw(4)];
    s->from_kind = draw(kinds), s->to_kind = draw(kinds);
    if (draw(3) == 0) s->from_kind = s->to_kind = 0;
    if (s->from_kind == bytes_kind || s->to_kind == bytes_kind)
        s->from_kind = s->to_kind = bytes_kind; /* no int matches bytes */
    s->from = element[s->from_kind].type, s->to = element[s->to_kind].type;
    s->send_count = elements(s->from_kind, s->length);
    s->receive_count = elements(s->to_kind, s->length);
    for (int i = 0; i < s->ranks; ++i) {
        const int block = 2 * ((7 * i + s->seed) % 5), at = s->seed % 2 ? s->ranks - 1 - i : i;
        s->send_counts[i] = elements(s->from_kind, block);
        s->receive_counts[i] = elements(s->to_kind, block);
        s->send_places[i] = at * (s->from_kind == bytes_kind ? 40 : 10);
        s->receive_places[i] = at * (s->to_kind == bytes_kind ? 48 : 12);
    }
    s->is_in_place = draw(4) == 0;
    draw_reduction(s);
}

/* The operation of a number, blocking or at once completed. */
enum { operations = 24 };
static int call(const Step* s, int operation, int is_nonblocking) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int is_root = s->rank == s->root;
    int *from = sent + middle, *to = got + middle, code = MPI_SUCCESS;
    const void* source = s->is_in_place ? MPI_IN_PLACE : (void*)from;
    const void* source_of_root = s->is_in_place && is_root ? MPI_IN_PLACE : (void*)from;
    void* target_of_root = s->is_in_place && is_root ? MPI_IN_PLACE : (void*)to;
#define EITHER(name, iname, ...)                                               \
    code = is_nonblocking ? MPI_I##iname(__VA_ARGS__, s->comm, &request)       \
                          : MPI_##name(__VA_ARGS__, s->comm);                  \
    if (is_nonblocking) MPI_Wait(&request, MPI_STATUS_IGNORE);                 \
    break
    switch (operation) {
        case 0:
            EITHER(Bcast, bcast, from, s->send_count, s->from, s->root);
        case 1: /* described by different types */
            EITHER(Bcast, bcast, from, is_root ? s->send_count : s->receive_count,
                   is_root ? s->from : s->to, s->root);
        case 2:
            EITHER(Gather, gather, source_of_root, s->send_count, s->from, to, s->receive_count,
                   s->to, s->root);
        case 3:
            EITHER(Scatter, scatter, from, s->send_count, s->from, target_of_root,
                   s->receive_count, s->to, s->root);
        case 4:
            EITHER(Allgather, allgather, source, s->send_count, s->from, to, s->receive_count,
                   s->to);
        case 5:
            EITHER(Alltoall, alltoall, source, s->send_count, s->from, to, s->receive_count, s->to);
        case 6:
            EITHER(Gatherv, gatherv, source_of_root, s->send_counts[s->rank], s->from, to,
                   s->receive_counts, s->receive_places, s->to, s->root);
        case 7:
            EITHER(Scatterv, scatterv, from, s->send_counts, s->send_places, s->from,
                   target_of_root, s->receive_counts[s->rank], s->to, s->root);
        case 8:
            EITHER(Allgatherv, allgatherv, source, s->send_counts[s->rank], s->from, to,
                   s->receive_counts, s->receive_places, s->to);
        case 9: {
            int out[most_ranks], in[most_ranks];
            for (int i = 0; i < s->ranks; ++i) {
                out[i] = elements(s->from_kind, 2 * ((3 * s->rank + 5 * i + s->seed) % 4));
                in[i] = elements(s->to_kind, 2 * ((3 * i + 5 * s->rank + s->seed) % 4));
            }
            EITHER(Alltoallv, alltoallv, from, out, s->send_places, s->from, to, in,
                   s->receive_places, s->to);
        }
        case 10: {
            int out[most_ranks], in[most_ranks], left[most_ranks], right[most_ranks];
            MPI_Datatype types_out[most_ranks], types_in[most_ranks];
            for (int i = 0; i < s->ranks; ++i) {
                const int a = (s->from_kind + i) % 7, b = (s->to_kind + 2 * i + s->rank) % 7;
                out[i] = elements(a, 2 * ((3 * s->rank + 5 * i + s->seed) % 4));
                in[i] = elements(b, 2 * ((3 * i + 5 * s->rank + s->seed) % 4));
                left[i] = i * 400, right[i] = (s->ranks - i) * 400;
                types_out[i] = element[a].type, types_in[i] = element[b].type;
            }
            EITHER(Alltoallw, alltoallw, from, out, left, types_out, to, in, right, types_in);
        }
        case 11:
            EITHER(Reduce, reduce, source_of_root, to, s->count, s->type, s->op, s->root);
        case 12:
        case 13:
            EITHER(Allreduce, allreduce, source, to, s->count, s->type, s->op);
        case 14:
            EITHER(Reduce_scatter_block, reduce_scatter_block, source, to, s->count, s->type,
                   s->op);
        case 15:
            EITHER(Reduce_scatter, reduce_scatter, source, to, s->reduce_counts, s->type, s->op);
        case 16:
            EITHER(Scan, scan, source, to, s->count, s->type, s->op);
        case 17:
            EITHER(Exscan, exscan, source, to, s->count, s->type, s->op);
        case 18:
            code = MPI_Barrier(s->comm);
            break;
        case 19: /* the next communicator may get the handle of this one */
            MPI_Comm_free(&comms[changing]);
            MPI_Comm_dup(comms[s->seed % 3], &comms[changing]);
            break;
        case 20:
            if (inter == MPI_COMM_NULL) break;
            code = MPI_Allgather(from, s->send_count, s->from, to, s->receive_count, s->to, inter);
            break;
        case 21: { /* an absolute address */
            MPI_Aint address;
            MPI_Datatype whole;
            MPI_Get_address(from, &address);
            MPI_Type_create_hindexed(1, &s->send_count, &address, s->from, &whole);
            MPI_Type_commit(&whole);
            code = MPI_Bcast(MPI_BOTTOM, 1, whole, s->root, s->comm);
            MPI_Type_free(&whole);
            break;
        }
        case 22: /* errors */
            MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_RETURN);
            code = s->seed % 3 == 0   ? MPI_Bcast(from, 1, MPI_INT, s->ranks + 3, s->comm)
                   : s->seed % 3 == 1 ? MPI_Bcast(from, -1, MPI_INT, 0, s->comm)
                                      : MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, -9, s->comm);
            MPI_Comm_set_errhandler(s->comm, MPI_ERRORS_ARE_FATAL);
            if (code != MPI_SUCCESS) MPI_Error_class(code, &code);
            break;
        case 23:
            for (int i = 0; i < 5; ++i) {
                MPI_Comm made;
                MPI_Comm_dup(comms[dup], &made);
                MPI_Allreduce(from + i, to + i, 1, MPI_INT, MPI_BXOR, made);
                MPI_Comm_free(&made);
            }
            break;
    }
    return code;
}

/* All bytes but those that MPI leaves undefined: the result of MPI_Exscan on rank 0, and behind the
 * own block the operands of a reduction to blocks in place. */
static void add_result(const Step* s, int operation) {
    const int is_block = operation == 14, is_irregular = operation == 15;
    if (operation == 17 && s->rank == 0) return;
    if (!s->is_in_place || !(is_block || is_irregular)) {
        add(got, sizeof got);
        return;
    }
    MPI_Aint lower_bound, extent;
    MPI_Type_get_extent(s->type, &lower_bound, &extent);
    add(got + middle, (size_t)extent * (size_t)(is_block ? s->count : s->reduce_counts[s->rank]));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank), MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
    if (argc != 3 || world_ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 2);
    state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    make_types();
    MPI_Type_contiguous(4, MPI_INT, &matrix), MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &matrices), MPI_Op_create(add_pairs, 1, &pairs);
    make_communicators();
    for (int i = 0; i < atoi(argv[2]); ++i) {
        for (int k = 0; k < ints; ++k) {
            sent[k] = (int)(k * 2654435761u + world_rank * 40503u + i * 97u);
            got[k] = (int)(k * 40503u + world_rank * 7u + i);
        }
        Step step;
        draw_step(&step);
        const int operation = draw(operations), is_nonblocking = draw(6) == 0;
        const int code = call(&step, operation, is_nonblocking);
        add(&code, sizeof code);
        add(sent, sizeof sent);
        add_result(&step, operation);
        if (getenv("RANDOM_CALLS_TRACE") != NULL)
            fprintf(stderr, "step %d rank %d operation %d %016llx\n", i, world_rank, operation,
                    (unsigned long long)hash);
    }
    add(&copies, sizeof copies), add(&deletions, sizeof deletions);
    uint64_t hashes[most_ranks];
    MPI_Gather(&hash, 1, MPI_UINT64_T, hashes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int i = 0; world_rank == 0 && i < world_ranks; ++i)
        printf("%016llx\n", (unsigned long long)hashes[i]);
    MPI_Finalize();
    return 0;
}
