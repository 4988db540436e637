// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into MPI tests that run more ranks than there are cores; never into a measurement, since
// it lengthens waits by up to 20 us.
//
// MPICH 4.0 over UCX spins in its progress loop and never gives its core away, so a waiting rank
// keeps the rank it waits for off the core until the scheduler takes the core back, a few
// milliseconds for every message. Every turn of that loop calls ucp_worker_progress() through the
// dynamic linker: this library stands in front of it and gives the core away when a turn found
// nothing to do.
//
// MPICH 4.0 over UCX and TCP also hangs in MPI_Finalize on several hosts: once its endpoints are closing it
// blocks in read() of its process manager's barrier and drives UCX no more, while others wait for what it
// has not flushed. Mended in July 2023 (MPICH's pull request 6596); until then it is driven in read().
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef unsigned progress_function(void* worker);
typedef void* disconnect_function(void* endpoint);
typedef void destroy_function(void* worker);

// sched_yield() is the quickest way to a ready peer, but costs a whole time slice beside other busy
// programs. So there are a few yields, and then sleeps until there is progress again.
enum { yields_before_sleeping = 20 };

// Shorter sleeps are over before the kernel has switched to anybody else.
static const struct timespec sleep_time = {.tv_sec = 0, .tv_nsec = 20000};

static progress_function* progress_of_ucx;
static disconnect_function* disconnect_of_ucx;
static destroy_function* destroy_of_ucx;
static void* worker_in_use;
static int is_finalizing;
static int file_of_process_manager = -1;

__attribute__((constructor)) static void find_progress_of_ucx(void) {
    // dlsym() returns a pointer to data; POSIX promises that it can be read as a pointer to a
    // function.
    *(void**)&progress_of_ucx = dlsym(RTLD_NEXT, "ucp_worker_progress");
    *(void**)&disconnect_of_ucx = dlsym(RTLD_NEXT, "ucp_disconnect_nb");
    *(void**)&destroy_of_ucx = dlsym(RTLD_NEXT, "ucp_worker_destroy");
    if (progress_of_ucx == NULL) return;  // a launcher or a library that does without UCX
    const char* file = getenv("PMI_FD");
    if (file != NULL) file_of_process_manager = atoi(file);
    // The kernel may end a sleep this much later; its default of 50 us exceeds the sleep itself.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

unsigned ucp_worker_progress(void* worker) {
    static _Thread_local int idle_turns;
    if (progress_of_ucx == NULL) {
        fputs("mpi_yield: UCX was loaded after start-up, its progress cannot be called\n", stderr);
        abort();
    }
    worker_in_use = worker;
    const unsigned events = progress_of_ucx(worker);
    if (events != 0) {
        idle_turns = 0;
    } else if (idle_turns < yields_before_sleeping) {
        ++idle_turns;
        sched_yield();
    } else {
        nanosleep(&sleep_time, NULL);
    }
    return events;
}

void* ucp_disconnect_nb(void* endpoint) {
    is_finalizing = 1;
    return disconnect_of_ucx(endpoint);
}

void ucp_worker_destroy(void* worker) {
    worker_in_use = NULL;
    destroy_of_ucx(worker);
}

ssize_t read(int file, void* bytes, size_t count) {
    struct pollfd waited = {file, POLLIN, 0};
    // Not if UCX itself reads, perhaps in a thread of its own, which must not drive UCX.
    const int is_barrier = is_finalizing && file == file_of_process_manager;
    while (is_barrier && worker_in_use != NULL && poll(&waited, 1, 0) == 0) {
        progress_of_ucx(worker_in_use);
        nanosleep(&sleep_time, NULL);
    }
    return syscall(SYS_read, file, bytes, count);
}
