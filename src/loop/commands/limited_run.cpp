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

constexpr double grace_s = 10;  ///< from SIGTERM to SIGKILL
constexpr double look_s = 0.1;  ///< at the latest the program is looked at again

double seconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

/// The signals that may arrive while a program runs: they wait for sigtimedwait().
class HeldSignals {
  public:
    HeldSignals() {
        sigemptyset(&held_);
        for (const int each : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction action {};
            sigaction(each, nullptr, &action);
            // nohup and shells have some signals ignored; these end nothing.
            if (each == SIGCHLD || action.sa_handler != SIG_IGN) sigaddset(&held_, each);
        }
        sigprocmask(SIG_BLOCK, &held_, &before_);
    }
    ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    const sigset_t& before() const { return before_; }
    /// The signal that has come within this time; 0 if none has.
    int wait(double seconds) const {
        const timespec time{
            static_cast<time_t>(seconds),
            static_cast<long>(1e9 * (seconds - static_cast<double>(static_cast<time_t>(seconds))))};
        return std::max(0, sigtimedwait(&held_, nullptr, &time));
    }

  private:
    sigset_t held_{}, before_{};
};

/// What posix_spawn is told: where input and output are, and that the program leads a group of
/// processes, so that all that it starts can be ended together.
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
/// \returns whether the program has ended; the signal, if one has come, is in `signal`: also one
/// that came while the program ended
bool has_ended(pid_t child, double limit_s, const HeldSignals& signals, int& status, int& signal) {
    for (const auto begin = SteadyClock::now();;) {
        if (waitpid(child, &status, WNOHANG) != 0) {
            // sigtimedwait() gives the lowest number first, and SIGCHLD has the highest.
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

/// Ends the program and all of its group.
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
        // UCX, which MPICH may load, takes SIGHUP for a request of its debugger.
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
    return ending;
}

}  // namespace mpiaudit
