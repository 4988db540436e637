// SPDX-License-Identifier: BSD-3-Clause
// switch DELAY_US[,NEAR_DELAY_US] MBIT_PER_S[,NEAR_MBIT_PER_S] PID...: an Ethernet switch in user space for hosts made of network
// namespaces, where the kernel has no netem. Makes a device eth0 in the network namespace of each process
// and carries its frames: each ordered pair of ports is a line of its own with that delay and that rate
// (0: any), with a queue of 4 MiB. With a second delay and rate the first half of the ports is one site and the
// second half another, and those are for the lines within a site. Prints "ready", and runs until it is killed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { most_ports = 16, longest_frame = 2048, longest_queue = 4 << 20, frames_in_a_row = 64 };

struct frame {
    struct frame* next;
    int64_t due_ns;
    long bytes;
    unsigned char data[];
};

struct kind {
    int64_t delay_ns;
    double ns_per_byte;
};

struct line {
    struct frame *first, *last;
    int64_t free_ns;
    long queued;
};

static struct pollfd ports[most_ports];
static struct line lines[most_ports][most_ports];
static struct kind far, near;
static int number;

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void die(const char* what) {
    perror(what);
    exit(1);
}

/// A TAP device eth0 with a MAC address that ends in the port, in the namespace of a process.
static int open_port(const char* pid, int port) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/net", pid);
    const int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    const int theirs = open(path, O_RDONLY | O_CLOEXEC);
    if (own < 0 || theirs < 0 || setns(theirs, CLONE_NEWNET) != 0) die(path);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "eth0");
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) die("/dev/net/tun");
    request.ifr_hwaddr.sa_family = 1;  // ARPHRD_ETHER
    const unsigned char address[6] = {2, 0, 0, 0, 0, (unsigned char)port};
    memcpy(request.ifr_hwaddr.sa_data, address, sizeof address);
    if (ioctl(device, SIOCSIFHWADDR, &request) != 0) die("SIOCSIFHWADDR");
    if (setns(own, CLONE_NEWNET) != 0) die("setns");
    close(own);
    close(theirs);
    return device;
}

static const struct kind* kind_of(int from, int to) {
    return (from < number / 2) == (to < number / 2) ? &near : &far;
}

/// Of "FAR[,NEAR]" the one after the comma; without one the same.
static double near_number(const char* text) {
    const char* comma = strchr(text, ',');
    return strtod(comma != NULL ? comma + 1 : text, NULL);
}

static struct kind made_kind(double delay_us, double mbit_per_s) {
    const struct kind made = {(int64_t)(delay_us * 1000), mbit_per_s > 0 ? 8000 / mbit_per_s : 0};
    return made;
}

static void enqueue(int from, int to, const unsigned char* data, long bytes) {
    struct line* line = &lines[from][to];
    const struct kind* kind = kind_of(from, to);
    if (line->queued + bytes > longest_queue) return;  // as a switch does
    struct frame* frame = malloc(sizeof *frame + (size_t)bytes);
    if (frame == NULL) die("malloc");
    const int64_t time_ns = now_ns();
    if (line->free_ns < time_ns) line->free_ns = time_ns;
    line->free_ns += (int64_t)((double)bytes * kind->ns_per_byte);
    frame->next = NULL;
    frame->due_ns = line->free_ns + kind->delay_ns;
    frame->bytes = bytes;
    memcpy(frame->data, data, (size_t)bytes);
    if (line->first == NULL)
        line->first = frame;
    else
        line->last->next = frame;
    line->last = frame;
    line->queued += bytes;
}

/// Sends what is due, and returns when the next frame is; 0 where none waits.
static int64_t deliver(void) {
    int64_t next_ns = 0;
    for (int from = 0; from < number; ++from) {
        for (int to = 0; to < number; ++to) {
            struct line* line = &lines[from][to];
            while (line->first != NULL && line->first->due_ns <= now_ns()) {
                struct frame* frame = line->first;
                const ssize_t sent = write(ports[to].fd, frame->data, (size_t)frame->bytes);
                if (sent < 0 && errno == EAGAIN) break;
                line->queued -= frame->bytes;
                line->first = frame->next;
                free(frame);
            }
            if (line->first != NULL && (next_ns == 0 || line->first->due_ns < next_ns))
                next_ns = line->first->due_ns;
        }
    }
    return next_ns;
}

static void receive(int from) {
    unsigned char data[longest_frame];
    for (int i = 0; i < frames_in_a_row; ++i) {
        const ssize_t bytes = read(ports[from].fd, data, sizeof data);
        if (bytes < 14) return;
        const int to = data[5];
        if ((data[0] & 1) == 0) {
            if (data[1] == 0 && to < number && to != from)
                enqueue(from, to, data, bytes);
            continue;
        }
        for (int each = 0; each < number; ++each)
            if (each != from) enqueue(from, each, data, bytes);
    }
}

int main(int count, char** words) {
    number = count - 3;
    if (number < 2 || number > most_ports) {
        fputs("usage: switch DELAY_US[,NEAR] MBIT_PER_S[,NEAR] PID PID...\n", stderr);
        return 2;
    }
    far = made_kind(strtod(words[1], NULL), strtod(words[2], NULL));
    near = made_kind(near_number(words[1]), near_number(words[2]));
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    for (int i = 0; i < number; ++i) ports[i] = (struct pollfd){open_port(words[3 + i], i), POLLIN, 0};
    puts("ready");
    fflush(stdout);
    for (;;) {
        const int64_t next_ns = deliver();
        const int64_t wait_ns = next_ns - now_ns();
        const struct timespec wait = {wait_ns > 0 ? wait_ns / 1000000000LL : 0,
                                      wait_ns > 0 ? wait_ns % 1000000000LL : 0};
        if (ppoll(ports, (nfds_t)number, next_ns == 0 ? NULL : &wait, NULL) <= 0) continue;
        for (int i = 0; i < number; ++i)
            if (ports[i].revents & POLLIN) receive(i);
    }
}
