// SPDX-License-Identifier: BSD-3-Clause
#include "commands/trusted_start.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit::trusted_start {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view letters_and_digits =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Returns whether the value is a name, a number, or a list of them. A slash would make it a path.
bool is_plain_value(std::string_view value) {
    return value.find_first_not_of(std::string(letters_and_digits) + ".,:=+-^") ==
           std::string_view::npos;
}

/// Returns whether the program is a launcher that the PATH finds or that is installed in /usr or
/// /opt: a results folder has neither.
bool is_name_of_launcher(std::string_view program) {
    const std::size_t slash = program.rfind('/');
    if (slash != std::string_view::npos) {
        const std::string_view folder = program.substr(0, slash);
        const bool is_installed = folder.starts_with("/usr/") || folder.starts_with("/opt/");
        if (!is_installed || folder.find("..") != std::string_view::npos) return false;
        program.remove_prefix(slash + 1);
    }
    const std::string_view name = program.substr(0, program.find('.'));
    constexpr std::string_view names[] = {"mpirun", "mpiexec", "orterun", "prterun", "srun"};
    return std::ranges::find(names, name) != std::end(names) && is_plain_value(program);
}

/// An option of a launcher and the number of words that follow it. A further word would be the
/// program to start.
struct LauncherOption {
    std::string_view name;
    int values = 0;
};

constexpr LauncherOption launcher_options[] = {LauncherOption{"allow-run-as-root"},
                                               {"oversubscribe"},
                                               {"use-hwthread-cpus"},
                                               {"report-bindings"},
                                               {"exclusive"},
                                               {"overlap"},
                                               {"q"},
                                               {"quiet"},
                                               {"n", 1},
                                               {"np", 1},
                                               {"c", 1},
                                               {"N", 1},
                                               {"nodes", 1},
                                               {"ntasks", 1},
                                               {"ntasks-per-node", 1},
                                               {"cpus-per-task", 1},
                                               {"cpu-bind", 1},
                                               {"distribution", 1},
                                               {"mpi", 1},
                                               {"kill-on-bad-exit", 1},
                                               {"ppn", 1},
                                               {"perhost", 1},
                                               {"npernode", 1},
                                               {"bind-to", 1},
                                               {"map-by", 1},
                                               {"rank-by", 1},
                                               {"host", 1},
                                               {"hosts", 1},
                                               {"H", 1},
                                               {"mca", 2}};

/// Returns whether all words of a launcher are known options with plain values, so that the start
/// cannot run another program.
bool has_plain_options(const std::vector<std::string>& words) {
    for (std::size_t at = 1; at < words.size();) {
        std::string_view word = words[at];
        if (!word.starts_with('-') || !is_plain_value(word)) return false;
        word.remove_prefix(word.starts_with("--") ? 2 : 1);
        const std::size_t equals = word.find('=');
        const std::string_view name = word.substr(0, equals);
        const auto* const option = find_in(launcher_options, name, &LauncherOption::name);
        if (option == nullptr) return false;
        std::size_t values = static_cast<std::size_t>(option->values);
        if (equals != std::string_view::npos) values = values == 1 ? 0 : words.size();
        if (at + values >= words.size()) return false;
        for (std::size_t i = at + 1; i <= at + values; ++i)
            if (!is_plain_value(words[i]) || words[i].starts_with('-')) return false;
        if (option->name == "mca" && !is_plain_setting("OMPI_MCA_" + words[at + 1], words[at + 2]))
            return false;
        at += values + 1;
    }
    return true;
}

/// Returns the name of the owner of the samples; empty if it is this user.
std::string other_owner(const std::string& folder) {
    for (const fs::path& path : {fs::path(folder), fs::path(folder) / "samples.jsonl"}) {
        struct stat status {};
        if (stat(path.c_str(), &status) != 0 || status.st_uid == geteuid()) continue;
        const passwd* const owner = getpwuid(status.st_uid);
        return owner != nullptr ? plain_line(owner->pw_name) : std::to_string(status.st_uid);
    }
    return "";
}

bool is_set_here(const std::string& name, const std::string& value) {
    const char* const here = std::getenv(name.c_str());
    return here != nullptr && value == here;
}

[[noreturn]] void refuse_setting(const std::string& name, const std::string& value) {
    throw UsageError(
        "repair: the audit has run with {}={}, and repair loads no file and starts no program that "
        "a results folder names; if you trust this value, set the variable yourself: export {}={}",
        plain_line(name), plain_line(value), plain_line(name), plain_line(shell_word(value)));
}

}  // namespace

bool is_plain_launcher(const CommandLine& command) {
    return !command.empty() && is_name_of_launcher(command.words.front()) &&
           has_plain_options(command.words);
}

bool is_plain_setting(const std::string& name, const std::string& value) {
    constexpr std::string_view prefixes[] = {"OMPI_MCA_coll",
                                             "OMPI_MCA_btl",
                                             "OMPI_MCA_pml",
                                             "OMPI_MCA_mtl",
                                             "OMPI_MCA_osc",
                                             "OMPI_MCA_mpi_",
                                             "OMPI_MCA_oob_tcp_if_include",
                                             "MPIR_CVAR_",
                                             "MPICH_",
                                             "I_MPI_",
                                             "MV2_",
                                             "UCX_"};
    // Libraries or launchers run or load the values of variables with these parts in their names.
    constexpr std::string_view parts_of_risk[] = {
        "AGENT",   "EXEC",  "BOOTSTRAP", "LAUNCH",  "PATH", "DIR",   "MODULE",
        "LIBRARY", "DEBUG", "GDB",       "PRELOAD", "FILE", "CONFIG"};
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    const auto is_in_name = [&](std::string_view part) {
        return upper.find(part) != std::string::npos;
    };
    return name.find_first_not_of(letters_and_digits) == std::string::npos &&
           std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); }) &&
           std::ranges::none_of(parts_of_risk, is_in_name) && is_plain_value(value);
}

CommandLine launcher(const Report& report, const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        const std::string owner = other_owner(folder);
        if (!owner.empty())
            throw UsageError(
                "repair: {} belongs to the user {}, and repair runs nothing that another user's "
                "files name; give the launcher yourself: --launcher 'mpirun -n {{ranks}}'",
                folder, owner);
    }
    const CommandLine found = launcher_of(report.header);
    if (!is_plain_launcher(found))
        throw UsageError(
            "repair: the launcher on record, {}, does more than count and place ranks, and repair "
            "runs no program that a results folder names; give the launcher yourself: --launcher "
            "'mpirun -n {{ranks}}'",
            plain_line(found.text()));
    return found;
}

CommandLine words_of_option(const std::string& option, const std::string& text) {
    const auto command = CommandLine::of_complete(text);
    if (!command)
        throw UsageError("{}: a quote in {} is not closed, or a backslash ends it; close the quote",
                         option, plain_line(text));
    return *command;
}

Variables settings(const Report& report) {
    Variables wanted;
    for (const auto& [name, value] : library_settings(report.header)) {
        if (is_set_here(name, value)) continue;
        if (!is_plain_setting(name, value)) refuse_setting(name, value);
        wanted.emplace_back(name, value);
    }
    return wanted;
}

void require_plain_setting(const std::string& setting) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string name = setting.substr(0, equals);
    const std::string value = setting.substr(std::min(equals + 1, setting.size()));
    if (!is_plain_setting(name, value) && !is_set_here(name, value)) refuse_setting(name, value);
}

}  // namespace mpiaudit::trusted_start
