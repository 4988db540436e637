// SPDX-License-Identifier: BSD-3-Clause
// An MPI library with a fault, for LD_PRELOAD. The variable FAULT chooses it, the profiling
// interface of MPI carries it out:
//     wrong       MPI_Gatherv of elements changes the first one that the root receives
//     elsewhere   the same from the fourth buffer of results on that it is given
//     error       MPI_Gatherv of elements names a root that does not exist
//     slow        MPI_Gatherv of elements takes 5 ms longer, or so many us (FAULT_US)
//     very-slow   MPI_Gatherv of elements takes 200 ms longer: more than other programs take from a
//                 rank in each of some rounds
//     after       MPI_Gather of elements takes 20 us longer after MPI_Gatherv of elements than
//                 after itself; on equal blocks MPI_Gatherv is MPI_Gather
//     memory      MPI_Gatherv of elements takes 8 MiB and gives them back
//     full        no file can be brought to the disk, as if that were full
//     stalled     one file takes 5 s to be brought to the disk, after so many others (FAULT_AFTER)
//     outside     MPI_Gatherv of elements writes (FAULT_HOW=write) or reads a byte of the root's
//     buffer of
//                 the result, so many bytes (FAULT_BYTES) behind its end, or before its start when
//                 negative
//     counts      MPI_Gatherv of elements changes the counts of the caller
//     coarse      MPI_Wtime has steps of a millisecond
//     set-back    every seventh reading of MPI_Wtime is a second early
//     alone       MPI_Comm_split_type finds no memory that ranks share
//     forbidden   MPI_Init_thread ends the process with exit code 99
//     one-thread  MPI_Query_thread says MPI_THREAD_SINGLE; exit code 98 where the program has not
//                 asked for MPI_THREAD_FUNNELED
//     processor-name  MPI_Get_processor_name ends the process with SIGABRT
//     reduce-local  MPI_Reduce_local ends the process with SIGABRT
//     stopped     the last rank is stopped for 3 s in its first MPI_Gatherv of elements
//     undescribed-caches  hwloc knows no cache, as in many virtual machines
//     unknown-caches  the C library knows none either
// The elements of the tests are MPI_INT; the program's own messages are not.
#include <dlfcn.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

namespace {

bool has_fault(const char* name) {
    const char* fault = std::getenv("FAULT");
    return fault != nullptr && std::strcmp(fault, name) == 0;
}

void touch(std::byte* start, std::size_t bytes) {
    const long far = std::atol(std::getenv("FAULT_BYTES"));
    volatile std::byte* const place = far < 0 ? start + far : start + bytes + far;
    if (std::strcmp(std::getenv("FAULT_HOW"), "write") == 0)
        *place = std::byte{1};
    else
        static_cast<void>(*place);
}

bool is_among_the_first_three(const void* buffer) {
    static std::array<const void*, 3> known{};
    for (const void*& each : known) {
        if (each == nullptr) each = buffer;
        if (each == buffer) return true;
    }
    return false;
}

constexpr int no_rank = 1'000'000;
useconds_t delay_us() {
    const char* given = std::getenv("FAULT_US");
    return given == nullptr ? 5000 : static_cast<useconds_t>(std::atol(given));
}
constexpr unsigned stall_s = 5;

/// Stops this process for 3 s, in the first call.
void stop_once() {
    static bool was_stopped = false;
    if (std::exchange(was_stopped, true)) return;
    const pid_t own = getpid(), child = fork();
    if (child == 0) {
        kill(own, SIGSTOP);
        sleep(3);
        kill(own, SIGCONT);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

bool is_last_rank(MPI_Comm comm) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    return rank == ranks - 1;
}

}  // namespace

extern "C" int fsync(int descriptor) {
    // Counts the files and lines that mpiaudit brings to the disk. Closing a file does not do so.
    static int left =
        std::getenv("FAULT_AFTER") == nullptr ? 0 : std::atoi(std::getenv("FAULT_AFTER"));
    if (has_fault("stalled") && left-- == 0) sleep(stall_s);
    if (has_fault("full") && left-- <= 0) {
        errno = ENOSPC;
        return -1;
    }
    return fdatasync(descriptor);
}

/// Replaces the function of hwloc through which all of its functions find objects of a type.
extern "C" int hwloc_get_type_depth(void* topology, int type) {
    constexpr int l1_cache = 4, l5_cache = 8, unknown_depth = -1;  // of hwloc 2
    using Original = int (*)(void*, int);
    static const auto original =
        reinterpret_cast<Original>(dlsym(RTLD_NEXT, "hwloc_get_type_depth"));
    const bool is_cache = l1_cache <= type && type <= l5_cache;
    if (is_cache && (has_fault("undescribed-caches") || has_fault("unknown-caches")))
        return unknown_depth;
    return original(topology, type);
}

extern "C" long sysconf(int name) noexcept {
    using Original = long (*)(int);
    static const auto original = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "sysconf"));
    const bool is_of_caches = _SC_LEVEL1_ICACHE_SIZE <= name && name <= _SC_LEVEL4_CACHE_LINESIZE;
    return is_of_caches && has_fault("unknown-caches") ? 0 : original(name);
}

extern "C" double MPI_Wtime() {
    static int readings = 0;
    const double now = PMPI_Wtime();
    if (has_fault("coarse")) return std::floor(now * 1e3) * 1e-3;
    return has_fault("set-back") && ++readings % 7 == 0 ? now - 1.0 : now;
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    if (has_fault("forbidden")) _exit(99);
    if (has_fault("one-thread") && required != MPI_THREAD_FUNNELED) _exit(98);
    return PMPI_Init_thread(argc, argv, required, provided);
}

extern "C" int MPI_Query_thread(int* provided) {
    const int code = PMPI_Query_thread(provided);
    if (has_fault("one-thread")) *provided = MPI_THREAD_SINGLE;
    return code;
}

extern "C" int MPI_Get_processor_name(char* name, int* length) {
    if (has_fault("processor-name")) std::abort();
    return PMPI_Get_processor_name(name, length);
}

extern "C" int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type,
                                MPI_Op op) {
    if (has_fault("reduce-local")) std::abort();
    return PMPI_Reduce_local(in, inout, count, type, op);
}

extern "C" int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                   MPI_Comm* part) {
    if (has_fault("alone")) return PMPI_Comm_dup(MPI_COMM_SELF, part);
    return PMPI_Comm_split_type(comm, type, key, info, part);
}

static bool is_after_gatherv = false;

extern "C" int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                          int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
    constexpr double carried_s = 20e-6;
    const bool is_slow = send_type == MPI_INT && has_fault("after") && is_after_gatherv;
    if (send_type == MPI_INT) is_after_gatherv = false;
    for (const double begin_s = is_slow ? PMPI_Wtime() : 0.0;
         is_slow && PMPI_Wtime() < begin_s + carried_s;) {
    }
    return PMPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root,
                       comm);
}

extern "C" int MPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                           const int* receive_counts, const int* displacements,
                           MPI_Datatype receive_type, int root, MPI_Comm comm) {
    const bool is_of_elements = send_type == MPI_INT;
    is_after_gatherv = is_after_gatherv || is_of_elements;
    if (is_of_elements && has_fault("after"))
        return PMPI_Gather(send, send_count, send_type, receive, send_count, receive_type, root,
                           comm);
    if (is_of_elements && has_fault("slow")) usleep(delay_us());
    if (is_of_elements && has_fault("very-slow")) usleep(200'000);
    if (is_of_elements && has_fault("stopped") && is_last_rank(comm)) stop_once();
    if (is_of_elements && has_fault("memory")) {
        constexpr std::size_t bytes = 8 << 20;
        void* volatile const taken = std::malloc(bytes);
        std::memset(taken, 1, bytes);
        std::free(taken);
    }
    const bool has_no_root = is_of_elements && has_fault("error");
    const int code = PMPI_Gatherv(send, send_count, send_type, receive, receive_counts,
                                  displacements, receive_type, has_no_root ? no_rank : root, comm);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const bool is_wrong =
        has_fault("wrong") || (has_fault("elsewhere") && !is_among_the_first_three(receive));
    if (is_of_elements && rank == root && is_wrong)
        static_cast<int*>(receive)[displacements[0]] ^= 1;
    if (is_of_elements && has_fault("counts") && rank == root)
        ++const_cast<int*>(receive_counts)[0];
    if (is_of_elements && has_fault("outside") && rank == root) {
        int ranks = 0;
        MPI_Comm_size(comm, &ranks);
        const int end = displacements[ranks - 1] + receive_counts[ranks - 1];
        touch(static_cast<std::byte*>(receive), static_cast<std::size_t>(end) * sizeof(int));
    }
    return code;
}
