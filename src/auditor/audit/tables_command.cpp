// SPDX-License-Identifier: BSD-3-Clause
#include "audit/tables_command.h"

#include <algorithm>
#include <filesystem>

#include "report/console_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Whether they are what a shell makes of PREFIX*, in any order.
bool is_all_of(const std::string& prefix, std::vector<std::string> folders) {
    const std::filesystem::path parent = std::filesystem::path(prefix).parent_path();
    std::vector<std::string> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
        const std::string path = parent / entry.path().filename();
        if (path.starts_with(prefix)) found.push_back(path);
    }
    std::ranges::sort(found);
    std::ranges::sort(folders);
    return !error && found == folders;
}

std::string for_a_shell(const std::vector<std::string>& folders) {
    std::string words = shell_word(folders.front());
    const std::vector<std::string> others(folders.begin() + 1, folders.end());
    const std::string confirmations = std::filesystem::path(folders.front()) / "confirmation-";
    if (others.size() > 1 && is_all_of(confirmations, others))
        return words + ' ' + shell_word(confirmations) + '*';
    for (const std::string& each : others) words += ' ' + shell_word(each);
    return words;
}

}  // namespace

std::string tables_command(const record::Header& header, const std::vector<std::string>& folders,
                           int columns) {
    return folded_command("tables: " + shell_word(header.command.front()) + " judge " +
                              for_a_shell(folders) + " --tables",
                          columns, "");
}

}  // namespace mpiaudit
