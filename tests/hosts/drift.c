// SPDX-License-Identifier: BSD-3-Clause
// Preloaded, it makes the monotonic clock of a host run fast or slow, HOST_DRIFT="h2=-50,h3=100" in parts
// per million by the host's name, or HOST_STEP="h2=3": jump ahead by so many seconds each time that the program
// itself, not a library, looks at it, so that nothing can be said of it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int clock_function(clockid_t, struct timespec*);

static clock_function* true_clock;
static double drift;
static long long beginning_ns;
static long long step_ns;
static atomic_llong jumped_ns;

static long long in_ns(const struct timespec* time) {
    return time->tv_sec * 1000000000LL + time->tv_nsec;
}

/// Returns the number of this host in a list; 0 if the list lacks this host.
static double own_number(const char* list, const char* name) {
    const size_t length = strlen(name);
    while (list != NULL) {
        if (strncmp(list, name, length) == 0 && list[length] == '=') return strtod(list + length + 1, NULL);
        list = strchr(list, ',');
        if (list != NULL) ++list;
    }
    return 0;
}

/// This also serves libraries that read the clock before the constructor below runs.
static int read_true_clock(clockid_t clock, struct timespec* time) {
    if (true_clock == NULL) *(void**)&true_clock = dlsym(RTLD_NEXT, "clock_gettime");
    return true_clock(clock, time);
}

__attribute__((constructor)) static void begin(void) {
    char name[256] = "";
    struct timespec time;
    gethostname(name, sizeof name - 1);
    read_true_clock(CLOCK_MONOTONIC, &time);
    beginning_ns = in_ns(&time);
    drift = own_number(getenv("HOST_DRIFT"), name) * 1e-6;
    step_ns = (long long)(own_number(getenv("HOST_STEP"), name) * 1e9);
}

/// Whether this code is the program's, which has the name of the project.
static int is_of_program(const void* code) {
    Dl_info about;
    const char* file = dladdr(code, &about) != 0 ? strrchr(about.dli_fname, '/') : NULL;
    return file != NULL && strcmp(file, "/mpiaudit") == 0;
}

static void show(struct timespec* time, long long shown_ns) {
    time->tv_sec = shown_ns / 1000000000LL;
    time->tv_nsec = shown_ns % 1000000000LL;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    const int code = read_true_clock(clock, time);
    if (code != 0 || clock != CLOCK_MONOTONIC) return code;
    const long long true_ns = in_ns(time);
    if (step_ns != 0 && is_of_program(__builtin_return_address(0)))
        show(time, true_ns + atomic_fetch_add(&jumped_ns, step_ns));
    else if (drift != 0)
        show(time, true_ns + (long long)((double)(true_ns - beginning_ns) * drift));
    return code;
}
