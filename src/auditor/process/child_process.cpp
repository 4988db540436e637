// SPDX-License-Identifier: BSD-3-Clause
#include "process/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// The actions and attributes of posix_spawn.
class SpawnSettings {
  public:
    SpawnSettings(const OutputFiles& files, const sigset_t& signals) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        write_to(files.output, STDOUT_FILENO);
        write_to(files.errors, STDERR_FILENO);
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

    int start(pid_t& child, const std::vector<char*>& words, char* const* environment) const {
        return posix_spawnp(&child, words.front(), &files_, &attributes_, words.data(),
                            environment);
    }

  private:
    void write_to(const std::string& file, int descriptor) {
        if (!file.empty())
            posix_spawn_file_actions_addopen(&files_, descriptor, file.c_str(),
                                             O_WRONLY | O_CREAT | O_TRUNC, 0666);
    }

    posix_spawn_file_actions_t files_;
    posix_spawnattr_t attributes_;
};

}  // namespace

HeldSignals::HeldSignals() {
    sigemptyset(&held_);
    for (const int each : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        sigaction(each, nullptr, &action);
        if (each == SIGCHLD || action.sa_handler != SIG_IGN) sigaddset(&held_, each);
    }
    sigprocmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() {
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int HeldSignals::wait(double seconds) const {
    const auto whole = static_cast<time_t>(seconds);
    const timespec time{whole, static_cast<long>(1e9 * (seconds - static_cast<double>(whole)))};
    return std::max(0, sigtimedwait(&held_, nullptr, &time));
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& each : words) pointers.push_back(const_cast<char*>(each.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

pid_t start_program(const std::string& command, const std::vector<std::string>& words,
                    const OutputFiles& files, const HeldSignals& signals,
                    const std::vector<std::string>& environment) {
    pid_t child = 0;
    const std::vector<char*> variables = pointers_to(environment);
    const int error =
        SpawnSettings(files, signals.before())
            .start(child, pointers_to(words), environment.empty() ? environ : variables.data());
    if (error != 0)
        throw UsageError("{}: {} cannot be started ({})", command, words.front(),
                         std::strerror(error));
    return child;
}

}  // namespace mpiaudit
