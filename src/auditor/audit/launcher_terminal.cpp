// SPDX-License-Identifier: BSD-3-Clause
#include "audit/launcher_terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace mpiaudit {
namespace {

constexpr std::array<std::string_view, 8> launchers = {
    "mpirun", "mpiexec", "orterun", "orted", "prterun", "prted", "hydra_pmi_proxy", "srun"};

struct Process {
    std::string name;
    int parent = 0;
};

/// Of /proc: "id (name) state parent ...", where the kernel keeps 15 letters of the name.
Process process(int id) {
    std::ifstream file(fmt::format("/proc/{}/stat", id));
    std::string text(std::istreambuf_iterator<char>(file), {});
    const std::size_t begin = text.find('('), end = text.rfind(')');
    if (begin == std::string::npos || end == std::string::npos || end + 4 > text.size()) return {};
    return {text.substr(begin + 1, end - begin - 1), std::atoi(text.c_str() + end + 4)};
}

/// mpirun, mpirun.openmpi, mpiexec.hydra
bool is_launcher(const std::string& name) {
    return std::ranges::any_of(
        launchers, [&](std::string_view each) { return name.starts_with(each.substr(0, 15)); });
}

bool writes_errors_to_a_terminal(int id) {
    std::error_code failure;
    const std::string target =
        std::filesystem::read_symlink(fmt::format("/proc/{}/fd/2", id), failure);
    return target.starts_with("/dev/pts/") || target.starts_with("/dev/tty");
}

}  // namespace

bool errors_reach_a_terminal() {
    if (isatty(STDERR_FILENO) == 1) return true;
    for (int id = getppid(); id > 1;) {
        const Process launcher = process(id);
        if (!is_launcher(launcher.name)) return false;
        if (writes_errors_to_a_terminal(id)) return true;
        id = launcher.parent;
    }
    return false;
}

}  // namespace mpiaudit
