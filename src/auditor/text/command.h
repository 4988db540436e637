// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// Returns the word quoted for a shell, if it needs quotes.
std::string shell_word(const std::string& word);

/// The words of a command. They are passed to no shell, so no character can start a second command.
struct CommandLine {
    std::vector<std::string> words;

    /// Splits a text into words. Quotes and backslashes group characters as in bash. Variables,
    /// substitutions, patterns and operators are ordinary characters.
    static CommandLine of(std::string_view text);
    /// Splits a text into words, or returns nothing when a quote is not closed or the text ends
    /// with a backslash: a shell would then read on in the next line.
    static std::optional<CommandLine> of_complete(std::string_view text);
    /// Returns a text that is safe to paste into a shell: every word is quoted.
    std::string text() const;
    bool empty() const { return words.empty(); }
    bool operator==(const CommandLine&) const = default;
};

}  // namespace mpiaudit
