// SPDX-License-Identifier: BSD-3-Clause
#include "commands/limited_run.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "process/child_process.h"

namespace mpiaudit {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double grace_s = 10;  ///< seconds from SIGTERM to SIGKILL
constexpr double look_s = 0.1;  ///< seconds between two looks at the program

double seconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

/// Waits until the program has ended, the time is over, or a signal tells this process to end.
/// \returns whether the program has ended; `signal` is set even if the signal came while the
/// program ended
bool has_ended(pid_t child, double limit_s, const HeldSignals& signals, int& status, int& signal) {
    for (const auto begin = SteadyClock::now();;) {
        if (waitpid(child, &status, WNOHANG) != 0) {
            // sigtimedwait() returns the lowest number first, and SIGCHLD has the highest.
            const int came = signals.wait(0);
            if (came > 0 && came != SIGCHLD) signal = came;
            return true;
        }
        const double left_s = limit_s - seconds_since(begin);
        if (left_s <= 0) return false;
        const int came = signals.wait(std::min(left_s, look_s));
        if (came == 0 || came == SIGCHLD) continue;
        signal = came;
        return false;
    }
}

/// Ends the process group of the program.
void end(pid_t child, const HeldSignals& signals, int& status) {
    int ignored = 0;
    kill(-child, SIGTERM);
    const bool is_gone = has_ended(child, grace_s, signals, status, ignored);
    kill(-child, SIGKILL);
    if (!is_gone) has_ended(child, grace_s, signals, status, ignored);
}

}  // namespace

std::string Ending::in_words() const {
    if (is_too_late) return fmt::format("still running after {:.3g} s: it was ended", seconds);
    if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
    return fmt::format("exit code {}", WEXITSTATUS(status));
}

Ending run_limited(const std::string& command, const std::vector<std::string>& words,
                   const std::string& output, double limit_s) {
    Ending ending;
    int signal = 0;
    {
        const HeldSignals signals;
        const auto begin = SteadyClock::now();
        const pid_t child = start_program(command, words, {output, output + ".err"}, signals);
        const bool is_over = has_ended(child, limit_s, signals, ending.status, signal);
        ending.seconds = seconds_since(begin);
        ending.is_too_late = !is_over && signal == 0;
        if (!is_over) end(child, signals, ending.status);
    }
    if (signal != 0) {
        // UCX, which MPICH may load, uses SIGHUP for its debugger.
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
    return ending;
}

}  // namespace mpiaudit
