// SPDX-License-Identifier: BSD-3-Clause
#include "machine/launcher.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "text/plain.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> launchers = {
    "mpirun", "mpiexec", "orterun", "orted", "prterun", "prted", "hydra_pmi_proxy", "srun"};
// The kernel truncates process names to this number of letters.
constexpr std::size_t kept_letters = 15;

std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// \param id of a process, or "self"
std::vector<std::string> command_line(const std::string& id) {
    std::istringstream text(text_of_file("/proc/" + id + "/cmdline"));
    std::vector<std::string> words;
    for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
    return words;
}

/// Returns true if a shell would find this file for the word by PATH.
bool is_found_in_path(const std::string& word, const fs::path& file) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code failure;
        const fs::path found = fs::canonical(fs::path(folder) / word, failure);
        if (!failure) return found == file;
    }
    return false;
}

/// Returns the word that starts this program again: the typed word, or the full path.
std::string word_of_program(const std::string& id, const std::string& typed) {
    std::error_code failure;
    const fs::path file = fs::read_symlink("/proc/" + id + "/exe", failure);
    if (failure || typed.find('/') != std::string::npos || is_found_in_path(typed, file))
        return typed;
    return file.string();
}

}  // namespace

Process process(int id) {
    // "id (name) state parent ..."
    const std::string text = text_of_file(fmt::format("/proc/{}/stat", id));
    const std::size_t begin = text.find('('), end = text.rfind(')');
    if (begin == std::string::npos || end == std::string::npos || end + 4 > text.size()) return {};
    return {text.substr(begin + 1, end - begin - 1), std::atoi(text.c_str() + end + 4)};
}

bool is_launcher(const std::string& process_name) {
    return std::ranges::any_of(launchers, [&](std::string_view each) {
        return process_name.starts_with(each.substr(0, kept_letters));
    });
}

CommandLine launcher_of_this_process() {
    const std::vector<std::string> own = command_line("self");
    CommandLine found;
    for (int id = getppid(); id > 1;) {
        const Process starter = process(id);
        if (!is_launcher(starter.name)) break;
        std::vector<std::string> words = command_line(std::to_string(id));
        const bool starts_this = words.size() > own.size() &&
                                 std::equal(own.rbegin(), own.rend(), words.rbegin()) &&
                                 !is_among(words, ":");
        if (starts_this) {
            words.resize(words.size() - own.size());
            words.front() = word_of_program(std::to_string(id), words.front());
            for (std::string& word : words) word = plain(word);
            found.words = words;
        }
        id = starter.parent;
    }
    return found;
}

}  // namespace mpiaudit
