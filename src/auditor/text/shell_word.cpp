// SPDX-License-Identifier: BSD-3-Clause
#include "text/shell_word.h"

#include <string_view>

namespace mpiaudit {

std::string shell_word(const std::string& word) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string with_value(std::string command, std::string_view name, const std::string& value) {
    for (std::size_t at = command.find(name); at != std::string::npos;
         at = command.find(name, at + value.size()))
        command.replace(at, name.size(), value);
    return command;
}

}  // namespace mpiaudit
