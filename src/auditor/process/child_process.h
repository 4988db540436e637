// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>
#include <vector>

namespace mpiaudit {

/// Holds SIGCHLD and the signals that ask this process to end: while the object lives, only wait()
/// receives them. Signals that this process ignores, as under nohup, stay ignored.
class HeldSignals {
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// The signal mask of this process before.
    const sigset_t& before() const { return before_; }
    /// Returns a signal that has come; 0 if none comes within `seconds`.
    int wait(double seconds) const;

  private:
    sigset_t held_{}, before_{};
};

/// Files that a program writes to; an empty name stands for the stream of this process.
struct OutputFiles {
    std::string output, errors;
};

/// Pointers to the words, for functions that start a program. The words must outlive the pointers.
std::vector<char*> pointers_to(const std::vector<std::string>& words);

/// Starts a program with an empty standard input. The program leads a process group of its own, so
/// that it can be ended together with all that it starts. Throws UsageError, which begins with
/// `command`, if the program cannot be started.
/// \param environment NAME=VALUE of each variable; empty: the environment of this process
pid_t start_program(const std::string& command, const std::vector<std::string>& words,
                    const OutputFiles& files, const HeldSignals& signals,
                    const std::vector<std::string>& environment = {});

}  // namespace mpiaudit
