// SPDX-License-Identifier: BSD-3-Clause
#include "text/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "text/plain.h"

namespace mpiaudit {
namespace {

/// The first error of standard output.
int& first_error() {
    static int error = 0;
    return error;
}

std::string plain_but_for_emphasis(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t at = std::min({text.find(emphasis_begins), text.find(remark_begins),
                                         text.find(emphasis_ends), text.size()});
        result += plain(text.substr(0, at));
        text.remove_prefix(at);
        for (const std::string_view mark : {emphasis_begins, remark_begins, emphasis_ends}) {
            if (!text.starts_with(mark)) continue;
            result += mark;
            text.remove_prefix(mark.size());
        }
    }
    return result;
}

}  // namespace

void open_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one. What was closed cannot be written to, as before.
        [[maybe_unused]] const int opened =
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void say_text(std::string_view text) {
    const std::string safe = plain_but_for_emphasis(text);
    if (std::fwrite(safe.data(), 1, safe.size(), stdout) < safe.size() && first_error() == 0)
        first_error() = errno;
    // Whatever ends the program later, this was said.
    if (std::fflush(stdout) != 0 && first_error() == 0) first_error() = errno;
}

void remark_text(std::string_view text) {
    const std::string line = "mpiaudit: " + plain(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

const char* output_error() {
    return first_error() == 0 ? nullptr : std::strerror(first_error());
}

}  // namespace mpiaudit
