// SPDX-License-Identifier: BSD-3-Clause
#include "commands/limited_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

#include "commands/loop_commands.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double grace_s = 10;  ///< seconds from SIGTERM to SIGKILL
constexpr double look_s = 0.1;  ///< seconds between two looks at the program

double seconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

/// Blocks the signals that may arrive while a program runs, so that sigtimedwait() gets them.
class HeldSignals {
  public:
    HeldSignals() {
        sigemptyset(&held_);
        for (const int each : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction action {};
            sigaction(each, nullptr, &action);
            // Signals that nohup or a shell ignores end nothing.
            if (each == SIGCHLD || action.sa_handler != SIG_IGN) sigaddset(&held_, each);
        }
        sigprocmask(SIG_BLOCK, &held_, &before_);
    }
    ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    const sigset_t& before() const { return before_; }
    /// Returns the signal that arrives within this time; 0 if none does.
    int wait(double seconds) const {
        const timespec time{
            static_cast<time_t>(seconds),
            static_cast<long>(1e9 * (seconds - static_cast<double>(static_cast<time_t>(seconds))))};
        return std::max(0, sigtimedwait(&held_, nullptr, &time));
    }

  private:
    sigset_t held_{}, before_{};
};

/// Parameters of posix_spawn: the files for input and output, and a process group of its own, so
/// that the program and all its children can be ended together.
class SpawnSettings {
  public:
    SpawnSettings(const std::string& output, const sigset_t& signals) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, output.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0666);
        posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, (output + ".err").c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0666);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setsigmask(&attributes_, &signals);
    }
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    pid_t of(const std::string& command, const std::vector<std::string>& words) const {
        const std::vector<char*> pointers = pointers_to(words);
        pid_t child = 0;
        const int error =
            posix_spawnp(&child, pointers.front(), &files_, &attributes_, pointers.data(), environ);
        if (error != 0)
            throw UsageError("{}: {} cannot be started ({})", command, words.front(),
                             std::strerror(error));
        return child;
    }

  private:
    posix_spawn_file_actions_t files_;
    posix_spawnattr_t attributes_;
};

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
        const pid_t child = SpawnSettings(output, signals.before()).of(command, words);
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
