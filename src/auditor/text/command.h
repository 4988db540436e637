// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// A word as a shell needs it.
std::string shell_word(const std::string& word);

/// The words of a command. No shell reads them, so no character of a word can start a second
/// command.
struct CommandLine {
    std::vector<std::string> words;

    /// The words of a text. Quotes and backslashes group characters as in bash. Variables,
    /// substitutions, patterns and operators are ordinary characters.
    static CommandLine of(std::string_view text);
    /// A text that is safe to paste into a shell: every word is quoted.
    std::string text() const;
    bool empty() const { return words.empty(); }
    bool operator==(const CommandLine&) const = default;
};

}  // namespace mpiaudit
