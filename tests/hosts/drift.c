// SPDX-License-Identifier: BSD-3-Clause
// Preloaded, it makes the monotonic clock of a host run fast or slow, HOST_DRIFT="h2=-50,h3=100" in parts
// per million by the host's name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int clock_function(clockid_t, struct timespec*);

static clock_function* true_clock;
static double drift;
static long long beginning_ns;

static long long in_ns(const struct timespec* time) {
    return time->tv_sec * 1000000000LL + time->tv_nsec;
}

/// The number of this host in a list; 0 where it has none.
static double own_number(const char* list, const char* name) {
    const size_t length = strlen(name);
    while (list != NULL) {
        if (strncmp(list, name, length) == 0 && list[length] == '=') return strtod(list + length + 1, NULL);
        list = strchr(list, ',');
        if (list != NULL) ++list;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    char name[256] = "";
    struct timespec time;
    *(void**)&true_clock = dlsym(RTLD_NEXT, "clock_gettime");
    gethostname(name, sizeof name - 1);
    true_clock(CLOCK_MONOTONIC, &time);
    beginning_ns = in_ns(&time);
    drift = own_number(getenv("HOST_DRIFT"), name) * 1e-6;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    const int code = true_clock(clock, time);
    if (code != 0 || clock != CLOCK_MONOTONIC || drift == 0) return code;
    const long long true_ns = in_ns(time);
    const long long shown_ns = true_ns + (long long)((double)(true_ns - beginning_ns) * drift);
    time->tv_sec = shown_ns / 1000000000LL;
    time->tv_nsec = shown_ns % 1000000000LL;
    return code;
}
