// SPDX-License-Identifier: BSD-3-Clause
// Preloaded, it makes the monotonic clock of a host run fast or slow: HOST_DRIFT="h2=-50,h3=100", in parts
// per million, by the host's name.
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

__attribute__((constructor)) static void begin(void) {
    char name[256] = "";
    struct timespec time;
    *(void**)&true_clock = dlsym(RTLD_NEXT, "clock_gettime");
    gethostname(name, sizeof name - 1);
    true_clock(CLOCK_MONOTONIC, &time);
    beginning_ns = in_ns(&time);
    const char* rest = getenv("HOST_DRIFT");
    const size_t length = strlen(name);
    while (rest != NULL) {
        if (strncmp(rest, name, length) == 0 && rest[length] == '=')
            drift = strtod(rest + length + 1, NULL) * 1e-6;
        rest = strchr(rest, ',');
        if (rest != NULL) ++rest;
    }
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
