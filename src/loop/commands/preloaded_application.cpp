// SPDX-License-Identifier: BSD-3-Clause
#include "commands/preloaded_application.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "application/launched_rank.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/usage_error.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

/// Beside the program in a build, in the library's folder when it is installed.
fs::path preload_library(const std::string& command, const std::string& name) {
    std::error_code failure;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
    for (const fs::path& each : {folder / name, folder / preload_folder() / name}) {
        if (fs::exists(each, failure)) return fs::canonical(each, failure);
    }
    throw UsageError(
        fmt::format("{}: {} is neither in {} nor in {}; jobs/build makes it, and an installation "
                    "has it",
                    command, name, folder.string(), (folder / preload_folder()).string()));
}

/// The file that execvp starts; empty when there is none.
fs::path found_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    const char* folders = std::getenv("PATH");
    std::string_view left = folders == nullptr ? "" : folders;
    while (!left.empty()) {
        const std::string_view folder = left.substr(0, left.find(':'));
        const fs::path file = fs::path(folder) / name;
        if (access(file.c_str(), X_OK) == 0) return file;
        left.remove_prefix(std::min(left.size(), folder.size() + 1));
    }
    return {};
}

/// Whether the program is started without the dynamic loader, which preloads.
bool is_static(const fs::path& program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    for (int i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment{};
        file.read(reinterpret_cast<char*>(&segment), sizeof segment);
        if (segment.p_type == PT_INTERP) return false;
    }
    return true;
}

}  // namespace

int refuse_on_all_ranks(const std::string& what) {
    // All ranks find the same; one says it.
    if (application::launched_rank() == 0) remark("{}", what);
    return exit_usage;
}

void preload(const std::string& command, const std::string& library,
             const std::vector<std::string>& application) {
    const fs::path program = found_program(application.front());
    if (is_static(program))
        throw UsageError(
            fmt::format("{}: {} is linked statically, so that nothing can be loaded before the "
                        "MPI library; link it to the shared one",
                        command, program.string()));
    std::string preloaded = preload_library(command, library);
    // In front of what the user preloads, which sees the calls behind us.
    if (const char* others = std::getenv("LD_PRELOAD")) preloaded += std::string(":") + others;
    setenv("LD_PRELOAD", preloaded.c_str(), 1);
}

int become(const std::string& command, const std::vector<std::string>& application) {
    std::vector<char*> words;
    for (const std::string& word : application) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    return refuse_on_all_ranks(fmt::format("{}: {} cannot be started ({})", command,
                                           application.front(), std::strerror(errno)));
}

}  // namespace mpiaudit
