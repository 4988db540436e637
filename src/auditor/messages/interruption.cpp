// SPDX-License-Identifier: BSD-3-Clause
#include "messages/interruption.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace mpiaudit::interruption {
namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::time_t first_time = 0;
std::atomic<int> told = -1;

/// Launchers pass on what the terminal has sent to all processes already, so a signal may come
/// twice at the same time.
void remember(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (const int file = told; file >= 0) {
        const int error = errno;
        [[maybe_unused]] const ssize_t written = write(file, "", 1);
        errno = error;
    }
    if (first_signal == 0) {
        first_time = now.tv_sec;
        first_signal = signal;
    } else if (now.tv_sec > first_time + 1 && signal != SIGUSR1) {
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
}

}  // namespace

void listen() {
    for (const int signal : {SIGUSR1, SIGINT, SIGTERM}) {
        struct sigaction action {};
        action.sa_handler = remember;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

void tell(int file) {
    told = file;
}

const char* name(int signal) {
    return signal == SIGUSR1 ? "SIGUSR1" : signal == SIGINT ? "SIGINT" : "SIGTERM";
}

int received() {
    return first_signal;
}

}  // namespace mpiaudit::interruption
