// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into MPI tests that run more ranks than there are cores; never into a measurement, since
// it lengthens waits by up to 20 us.
//
// MPICH 4.0 over UCX spins in its progress loop and never gives its core away, so a waiting rank
// keeps the rank it waits for off the core until the scheduler takes the core back, a few
// milliseconds for every message. Every turn of that loop calls ucp_worker_progress() through the
// dynamic linker: this library stands in front of it and gives the core away when a turn found
// nothing to do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

typedef unsigned progress_function(void* worker);

// sched_yield() is the quickest way to a peer that is ready, but beside other busy programs it costs
// a whole time slice. So: a few yields, then sleeps until there is progress again.
enum { yields_before_sleeping = 20 };

// Shorter sleeps are over before the kernel has switched to anybody else.
static const struct timespec sleep_time = {.tv_sec = 0, .tv_nsec = 20000};

static progress_function* progress_of_ucx;

__attribute__((constructor)) static void find_progress_of_ucx(void) {
    // dlsym() returns a pointer to data; POSIX promises that it can be read as one to a function.
    *(void**)&progress_of_ucx = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (progress_of_ucx == NULL) return;  // a launcher or a library that does without UCX
    // The kernel may end a sleep this much later; its default of 50 us exceeds the sleep itself.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

unsigned ucp_worker_progress(void* worker) {
    static _Thread_local int idle_turns;
    if (progress_of_ucx == NULL) {
        fputs("mpi_yield: UCX was loaded after start-up, its progress cannot be called\n", stderr);
        abort();
    }
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
