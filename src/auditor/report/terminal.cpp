// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "report/console.h"

namespace mpiaudit {
namespace {

/// What the user says, else what the terminal does, else a default.
int extent(const char* variable, int of_terminal, int otherwise) {
    const char* text = std::getenv(variable);
    if (text != nullptr && std::atoi(text) > 0) return std::atoi(text);
    return of_terminal > 0 ? of_terminal : otherwise;
}

}  // namespace

bool is_terminal(int descriptor) {
    if (isatty(descriptor) != 1) return false;
    if (std::getenv("OMPI_COMM_WORLD_RANK") == nullptr) return true;
    // Open MPI gives its ranks a pseudo-terminal, whatever it was started with itself.
    const auto launcher = fmt::format("/proc/{}/fd/{}", getppid(), descriptor);
    const int file = open(launcher.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    const bool result = file >= 0 && isatty(file) == 1;
    if (file >= 0) close(file);
    return result;
}

Terminal standard_output(When colour) {
    Terminal terminal;
    terminal.colour = is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
    terminal.columns = std::max(60, extent("COLUMNS", size.ws_col, terminal.columns));
    terminal.rows = std::max(24, extent("LINES", size.ws_row, terminal.rows));
    if (colour != When::automatic) terminal.colour = colour == When::always;
    return terminal;
}

}  // namespace mpiaudit
