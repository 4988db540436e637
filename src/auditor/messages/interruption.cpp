// SPDX-License-Identifier: BSD-3-Clause
#include "messages/interruption.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace mpiaudit::interruption {
namespace {

volatile std::sig_atomic_t first_signal = 0;
volatile std::time_t first_time = 0;
/// A signal that another rank has received is no first signal of this rank: the launcher may send
/// the same signal to this rank a moment later.
int (*signal_of_others)() = nullptr;
int heard_signal = 0;
/// A pipe: a handler can write to it, and a thread can wait for it with a limit.
std::array<int, 2> wake_pipe = {-1, -1};

/// Remembers the first signal; a later one, more than a second after, ends the process. Launchers
/// forward signals that the terminal has already sent to all processes, so a signal may arrive
/// twice at once.
void remember(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int error = errno;
    wake();
    errno = error;
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
    if (wake_pipe[0] < 0 && pipe2(wake_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        wake_pipe.fill(-1);
    for (const int signal : {SIGUSR1, SIGINT, SIGTERM}) {
        struct sigaction action {};
        action.sa_handler = remember;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

void wake() {
    [[maybe_unused]] const ssize_t written = write(wake_pipe[1], "", 1);
}

bool is_woken_within(double seconds) {
    pollfd waited{wake_pipe[0], POLLIN, 0};
    if (poll(&waited, 1, static_cast<int>(seconds * 1e3)) <= 0) return false;
    std::array<char, 16> bytes{};
    return read(wake_pipe[0], bytes.data(), bytes.size()) > 0;
}

const char* name(int signal) {
    return signal == SIGUSR1  ? "SIGUSR1"
           : signal == SIGINT ? "SIGINT"
           : signal == SIGHUP ? "SIGHUP"
                              : "SIGTERM";
}

int received() {
    if (first_signal != 0) return first_signal;
    if (heard_signal == 0 && signal_of_others != nullptr) heard_signal = signal_of_others();
    return heard_signal;
}

int own_signal() {
    return first_signal;
}

void ask_others(int (*others)()) {
    heard_signal = 0;
    signal_of_others = others;
}

}  // namespace mpiaudit::interruption
