// SPDX-License-Identifier: BSD-3-Clause
// Defines record_application() of loop_commands.h.
#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "commands/loop_commands.h"
#include "files/files.h"
#include "mpi/environment.h"
#include "process/child_process.h"
#include "recording/written.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

/// Returns the preloaded library: beside the program in a build, in the library folder of an
/// installation.
fs::path preload_library(const std::string& command, const std::string& name) {
    std::error_code failure;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
    for (const fs::path& each : {folder / name, folder / preload_folder() / name}) {
        if (fs::exists(each, failure)) return fs::canonical(each, failure);
    }
    throw UsageError(
        "{}: {} is neither in {} nor in {}; jobs/build makes it, and an installation "
        "has it",
        command, name, folder.string(), (folder / preload_folder()).string());
}

/// Returns the file that execvp starts; empty if there is none.
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

/// Returns whether the program runs without the dynamic loader, which preloads libraries.
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

/// Prints the error on rank 0 and returns the exit code. Other ranks wait, because the launcher
/// ends all ranks when the first one ends.
int refuse_on_all_ranks(const std::string& what) {
    if (application::launched_rank() == 0)
        remark("{}", what);
    else
        std::this_thread::sleep_for(std::chrono::seconds(1));
    return exit_usage;
}

/// Sets LD_PRELOAD for the application. Throws UsageError if the library does not exist or the
/// application would not load it.
void preload(const std::string& command, const std::string& library,
             const std::vector<std::string>& application) {
    const fs::path program = found_program(application.front());
    if (is_static(program))
        throw UsageError(
            "{}: {} is linked statically, so that nothing can be loaded before the "
            "MPI library; link it to the shared one",
            command, program.string());
    std::string preloaded = preload_library(command, library);
    // A library of a binary archive does not name the MPI library, whose name differs.
    const std::string mpi = is_of_binary_archive() ? Environment::library_file().value_or("") : "";
    for (const auto& [file, owner] :
         {std::pair(preloaded, "mpiaudit"), std::pair(mpi, "the MPI library")})
        if (file.find_first_of(" :") != std::string::npos)
            throw UsageError(
                "{}: {} cannot be loaded before the application, as LD_PRELOAD takes no "
                "path with a blank or colon; install {} elsewhere",
                command, file, owner);
    // The library comes before those of the user, which then see the replaced calls.
    if (const char* others = std::getenv("LD_PRELOAD")) preloaded += std::string(":") + others;
    if (!mpi.empty()) preloaded += ":" + mpi;
    setenv("LD_PRELOAD", preloaded.c_str(), 1);
}

/// Returns the recordings of an earlier run: the file itself, numbered files of other programs of
/// that run, and files of single ranks.
std::vector<fs::path> earlier_recordings(const fs::path& output) {
    const std::string name = output.filename(), stem = output.stem();
    std::vector<fs::path> found;
    std::error_code failure;
    const fs::path folder = output.has_parent_path() ? output.parent_path() : ".";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
        const std::string other = entry.path().filename();
        const std::string number =
            other.starts_with(stem + "-") && entry.path().extension() == output.extension()
                ? entry.path().stem().string().substr(stem.size() + 1)
                : "";
        const bool is_numbered =
            !number.empty() && number.find_first_not_of("0123456789") == number.npos;
        if (other == name || other.starts_with(name + ".rank-") || is_numbered)
            found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
}

/// Creates the folder and removes recordings of an earlier run, which could be taken for those of
/// this run. Throws UsageError.
void make_place_for(const fs::path& output, bool overwrites) {
    const std::vector<fs::path> earlier = earlier_recordings(output);
    if (!overwrites && !earlier.empty())
        throw UsageError("--output: {} is there already; give --overwrite to replace it",
                         earlier.front().string());
    if (application::launched_rank() != 0) return;
    std::error_code failure;
    for (const fs::path& each : earlier)
        if (!fs::remove(each, failure) && failure)
            throw UsageError("--output: {} cannot be removed ({})", each.string(),
                             failure.message());
    const fs::path folder = output.has_parent_path() ? output.parent_path() : ".";
    fs::create_directories(folder, failure);
    if (access(folder.c_str(), W_OK) != 0)
        throw UsageError("--output: nothing can be written into {} ({})", folder.string(),
                         std::strerror(errno));
}

/// Becomes the application; returns an exit code if it cannot be started.
int become(const std::string& command, const std::vector<std::string>& application) {
    const std::vector<char*> words = pointers_to(application);
    execvp(words.front(), words.data());
    return refuse_on_all_ranks(fmt::format("{}: {} cannot be started ({})", command,
                                           application.front(), std::strerror(errno)));
}

}  // namespace

int record_application(const RecordOptions& options) {
    const std::string output = application::recording_in(options.output);
    try {
        make_place_for(output, options.overwrite);
        preload("record", "libmpiaudit-record.so", options.application);
    } catch (const UsageError& error) {
        return refuse_on_all_ranks(error.what());
    }
    // The application may change its folder before MPI starts.
    setenv(application::output_variable, fs::absolute(output).c_str(), 1);
    setenv(application::problems_variable, std::to_string(options.problems).c_str(), 1);
    setenv(application::synchronise_variable, options.synchronise ? "1" : "0", 1);
    setenv(application::process_variable, std::to_string(getpid()).c_str(), 1);
    return become("record", options.application);
}

}  // namespace mpiaudit
