// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

/// The end of a program that was started.
struct Ending {
    int status = 0;            ///< as from wait(2)
    bool is_too_late = false;  ///< ended because it ran longer than allowed
    double seconds = 0;        ///< from the start of the program to its end

    bool is_success() const { return !is_too_late && status == 0; }
    /// Returns "exit code 3", "signal 9", "still running after 70 s: it was ended".
    std::string in_words() const;
};

/// Runs a program and all its children for at most `limit_s` seconds; then sends SIGTERM, and
/// SIGKILL 10 s later. Standard input is empty. Standard output goes to the file `output`, standard
/// error to `output`.err. SIGINT, SIGTERM and SIGHUP end the program before this process. Throws
/// UsageError, which begins with `command`, if the program cannot be started.
Ending run_limited(const std::string& command, const std::vector<std::string>& words,
                   const std::string& output, double limit_s);

}  // namespace mpiaudit
