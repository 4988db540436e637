// SPDX-License-Identifier: BSD-3-Clause
#include "screens/console.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "machine/launcher.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

bool writes_to_a_terminal(int id, int descriptor) {
    std::error_code failure;
    const std::string target =
        std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", id, descriptor), failure);
    return target.starts_with("/dev/pts/") || target.starts_with("/dev/tty");
}

bool has_launcher_at_a_terminal(int descriptor) {
    for (int id = getppid(); id > 1;) {
        const Process launcher = process(id);
        if (!is_launcher(launcher.name)) return false;
        if (writes_to_a_terminal(id, descriptor)) return true;
        id = launcher.parent;
    }
    return false;
}

/// Returns the number in the variable, else the size of the terminal, else `otherwise`.
int extent(const char* variable, int of_terminal, int otherwise) {
    const char* text = std::getenv(variable);
    if (text != nullptr && std::atoi(text) > 0) return std::atoi(text);
    return of_terminal > 0 ? of_terminal : otherwise;
}

}  // namespace

bool errors_reach_a_terminal() {
    if (isatty(STDERR_FILENO) == 1) return true;
    return has_launcher_at_a_terminal(STDERR_FILENO);
}

bool is_terminal(int descriptor) {
    if (isatty(descriptor) != 1) return false;
    if (std::getenv("OMPI_COMM_WORLD_RANK") == nullptr) return true;
    // Open MPI gives its ranks a pseudo-terminal, even if its own output is no terminal.
    return writes_to_a_terminal(getppid(), descriptor);
}

Terminal standard_output(When colour) {
    Terminal terminal;
    terminal.colour = is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
    terminal.columns = std::max(60, extent("COLUMNS", size.ws_col, terminal.columns));
    const bool is_screen = is_terminal(STDOUT_FILENO) || has_launcher_at_a_terminal(STDOUT_FILENO);
    terminal.rows =
        is_screen ? std::max(24, extent("LINES", size.ws_row, 24)) : extent("LINES", 0, 0);
    if (colour != When::automatic) terminal.colour = colour == When::always;
    return terminal;
}

std::string emphasised(const std::string& text, const Terminal& terminal, CheckKind kind) {
    if (!terminal.colour) return text;
    return std::string(kind == CheckKind::verdict ? emphasis_begins : remark_begins) + text +
           std::string(emphasis_ends);
}

}  // namespace mpiaudit
