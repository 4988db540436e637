/* MPI_Ireduce, 3 elements in a block, sent in a type whose first element is behind the
 *     buffer's address, MPI_C_DOUBLE_COMPLEX, commutative, a root in the middle, in one of 12
 *     calls
 * mpiaudit verify --call "operation=MPI_Reduce start=nonblocking counts=three
 *     sent_type=gap-in-front basic=MPI_C_DOUBLE_COMPLEX op=commutative root=middle
 *     repetition=twelve"
 *
 *   mpicc -o reproduce reproduce.c
 *   mpirun -n 3 ./reproduce
 */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MPI_Comm comm = MPI_COMM_NULL;
static int world_rank, world_size, rank, size, is_wrong; /* rank and size in comm */
static int root, is_root;
enum { most = 256 }; /* blocks */
static void wrong(const char* what) {
    if (!is_wrong) printf("WRONG RESULT on rank %d: %s\n", world_rank, what);
    is_wrong = 1;
}
enum { limit_s = 20 };
static const char* function = "MPI_Ireduce";
static void end(int signal) { /* the time is over */
    fprintf(stderr, "rank %d: %s HANGS\n", world_rank, function), _exit(signal);
}
static void make_communicator(void) {
    rank = world_rank, size = world_size;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (comm == MPI_COMM_NULL) return;
    int its_rank, its_size;
    MPI_Comm_rank(comm, &its_rank), MPI_Comm_size(comm, &its_size);
    if (its_rank != rank || its_size != size) wrong("the communicator has other ranks");
}
typedef struct { double re, im; } element;
static int turn;
static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9, x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}
/* Element i of block `block` of the blocks that a rank sends; other ones in each turn. */
static element value(int from, int block, int i) {
    const uint64_t of_element = mixed(((uint64_t)turn << 32) + i + 1);
    const uint64_t x = mixed(of_element ^ (((uint64_t)from << 32) + block));
    element made;
    memset(&made, 0, sizeof made);
    for (unsigned k = 0; k < sizeof made; ++k) ((unsigned char*)&made)[k] = mixed(x + k) & 255;
    return made;
}
static element combined(element a, element b) {
    const unsigned char* const left = (unsigned char*)&a;
    unsigned char* const right = (unsigned char*)&b;
    for (unsigned k = 0; k < sizeof a; ++k)
        right[k] ^= left[k];
    return b;
}
static int first, last, begin, result; /* ranks whose vectors are combined; elements from begin on */
static element reduced(int i) {
    element all = value(last - 1, 0, i);
    for (int k = last - 2; k >= first; --k) all = combined(value(k, 0, i), all);
    return all;
}
static int is_same(element a, element b) {
    return memcmp(&a, &b, sizeof a) == 0;
}
static void print(element x) { printf("%.17Lg+%.17Lgi", (long double)x.re, (long double)x.im); }

enum { unit = 4 }; /* elements that fit every type */
/* The blocks that this rank sends or receives, and their arguments in the call. */
typedef struct {
    int blocks, from[most], number[most]; /* rank `from` sends the block as its block `number` */
    int elements[most];
    long at[most];                        /* extents of the type before the block */
    int in_type, offset[4], extent;       /* elements in the type, their offsets, its extent */
    char *memory, *right, *data;          /* right: what memory must contain after the call */
    size_t bytes;
    void* buffer;
    int counts[most];
    int displs[most];
    MPI_Datatype type, types[most];
} side;
static side sent, received, before[2];
static MPI_Op op;
static void by_user(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int k = 0; k < *length; ++k)
        for (int j = 0; j < sent.in_type; ++j) {
            const long at = ((long)k * sent.extent + sent.offset[j]) * (long)sizeof(element);
            element a, b;
            memcpy(&a, (char*)in + at, sizeof a), memcpy(&b, (char*)inout + at, sizeof b);
            b = combined(a, b), memcpy((char*)inout + at, &b, sizeof b);
        }
}
static int elements(int from, int to) {
    (void)from, (void)to;
    return 3 * unit;
}
static void add(side* s, int from, int number, int count) {
    s->from[s->blocks] = from, s->number[s->blocks] = number, s->elements[s->blocks++] = count;
}
static char* element_at(const side* s, int block, int i) {
    const long in_all = (s->at[block] + i / s->in_type) * s->extent + s->offset[i % s->in_type];
    return s->data + in_all * (long)sizeof(element);
}
static void lay_out(side* s) {
    long end = 0;
    for (int k = 0; k < s->blocks; ++k) {
        s->at[k] = end, end += s->elements[k] / s->in_type;
    }
    const size_t last = (end + 1) * s->extent + s->offset[s->in_type - 1];
    const size_t margin = (last * sizeof(element) / 64 + 5) * 64;
    s->bytes = 3 * margin, s->memory = aligned_alloc(64, s->bytes), s->right = malloc(s->bytes);
    s->buffer = s->data = s->memory + margin;
    memset(s->types, 0xff, sizeof s->types); /* no call may use types behind the list */
    for (int k = 0; k < s->blocks; ++k) {
        s->counts[k] = s->elements[k] / s->in_type;
        s->displs[k] = s->at[k];
        s->types[k] = s->type;
    }
}
static void set_up(void) {
    free(sent.memory), free(sent.right), free(received.memory), free(received.right);
    sent = received = (side){.in_type = 1, .extent = 1};
    MPI_Op_create(by_user, 1, &op);
    const int all = elements(0, 0);
    first = 0, last = size, result = is_root ? all : 0;
    add(&sent, rank, 0, all);
    if (result > 0) add(&received, 0, 0, result);
    sent.type = MPI_C_DOUBLE_COMPLEX;
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 3}, MPI_C_DOUBLE_COMPLEX, &sent.type);
    sent.in_type = 2, sent.extent = 3, sent.offset[0] = 1, sent.offset[1] = 3;
    MPI_Type_commit(&sent.type);
    received.type = MPI_C_DOUBLE_COMPLEX;
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){1, 3}, MPI_C_DOUBLE_COMPLEX, &received.type);
    received.in_type = 2, received.extent = 3, received.offset[0] = 1, received.offset[1] = 3;
    MPI_Type_commit(&received.type);
    lay_out(&sent), lay_out(&received);
    sent.counts[0] = all / sent.in_type;
}
static void fill(void) {
    for (size_t k = 0; k < sent.bytes; ++k) sent.memory[k] = 0xa5 ^ (k + turn) % 61;
    for (size_t k = 0; k < received.bytes; ++k) received.memory[k] = 0xa5 ^ (k + turn + 1) % 61;
    side* const to = &sent;
    for (int k = 0; k < sent.blocks; ++k)
        for (int i = 0; i < sent.elements[k]; ++i) {
            const element made = value(sent.from[k], sent.number[k], i);
            memcpy(element_at(to, k, i), &made, sizeof made);
        }
    memcpy(sent.right, sent.memory, sent.bytes);
    memcpy(received.right, received.memory, received.bytes);
    memcpy(&before[0], &sent, sizeof sent), memcpy(&before[1], &received, sizeof received);
}
static void compare(int block, int i, element right) {
    element got;
    char* const at = element_at(&received, block, i);
    memcpy(&got, at, sizeof got), memcpy(received.right + (at - received.memory), at, sizeof got);
    if (is_same(got, right) || is_wrong) return;
    printf("WRONG RESULT on rank %d: element %d of received block %d is ", world_rank, i, block);
    print(got), printf(" instead of "), print(right), printf("\n"), is_wrong = 1;
}
static void check(void) {
    for (int i = 0; i < result; ++i) compare(0, i, reduced(begin + i));
    if (memcmp(received.memory, received.right, received.bytes) != 0)
        wrong("bytes outside the received blocks have changed");
    if (memcmp(sent.memory, sent.right, sent.bytes) != 0) wrong("the send buffer has changed");
    if (memcmp(&before[0], &sent, sizeof sent) || memcmp(&before[1], &received, sizeof sent))
        wrong("an array of counts, displacements or types has changed");
}
static void run(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    root = size / 2;
    is_root = rank == root;
    set_up();
    const int turns = 20; /* some faults depend on the numbers */
    for (int k = 0; k < turns; ++k) {
        turn = k, fill();
        const int code = MPI_Ireduce(sent.buffer, received.buffer, sent.counts[0], sent.type, op, root, comm, &request);
        if (code != MPI_SUCCESS) wrong("the call returns an error");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check();
    }
}
int main(int argc, char** argv) {
    static char line[1024]; /* written at once: ranks share the output */
    setvbuf(stdout, line, _IOLBF, sizeof line), signal(SIGALRM, end), alarm(limit_s);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank), MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    make_communicator();
    if (comm != MPI_COMM_NULL) run();
    if (!is_wrong) printf("RIGHT RESULT on rank %d\n", world_rank);
    function = "MPI_Finalize", alarm(limit_s);
    MPI_Finalize();
    return is_wrong;
}
