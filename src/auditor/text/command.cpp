// SPDX-License-Identifier: BSD-3-Clause
#include "text/command.h"

namespace mpiaudit {
namespace {

/// Decodes the escape sequence behind a backslash in bash's $'...', which `printf %q` writes for
/// line ends and for characters that act on terminals. Advances `at` behind the sequence.
char escaped_character(std::string_view text, std::size_t& at) {
    constexpr std::string_view letters = "abefnrtvE", values = "\a\b\033\f\n\r\t\v\033";
    const char letter = text[at++];
    if (letter >= '0' && letter <= '7') {
        int code = letter - '0';
        for (int digits = 1; digits < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7';
             ++digits)
            code = code * 8 + (text[at++] - '0');
        return static_cast<char>(code);
    }
    const std::size_t place = letters.find(letter);
    return place == std::string_view::npos ? letter : values[place];
}

/// Adds the quoted part that begins at `at` to a word. A quote without an end reaches to the end of
/// the text.
/// \returns whether the quote has an end
bool add_quoted(std::string& word, std::string_view text, std::size_t& at) {
    const bool has_escapes = text[at] == '$';
    if (has_escapes) ++at;
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote) {
        const bool is_escape = text[at] == '\\' && at + 1 < text.size();
        if (is_escape && has_escapes) {
            word += escaped_character(text, ++at);
            continue;
        }
        // A backslash between double quotes protects these characters only.
        if (is_escape && quote == '"' &&
            std::string_view("\"\\$`").find(text[at + 1]) != std::string_view::npos)
            ++at;
        word += text[at++];
    }
    return at++ < text.size();
}

struct Split {
    CommandLine command;
    bool is_complete = true;  ///< the text ends outside of all quotes, and not with a backslash
};

Split split(std::string_view text) {
    Split split;
    std::optional<std::string> word;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '\n') {
            if (word) split.command.words.push_back(*word);
            word.reset();
            ++at;
            continue;
        }
        if (!word) word.emplace();
        if (c == '\'' || c == '"' || text.substr(at, 2) == "$'") {
            split.is_complete = add_quoted(*word, text, at) && split.is_complete;
        } else {
            if (c == '\\' && at + 1 < text.size())
                ++at;
            else if (c == '\\')
                split.is_complete = false;
            *word += text[at++];
        }
    }
    if (word) split.command.words.push_back(*word);
    return split;
}

}  // namespace

std::string shell_word(const std::string& word) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

CommandLine CommandLine::of(std::string_view text) {
    return split(text).command;
}

std::optional<CommandLine> CommandLine::of_complete(std::string_view text) {
    Split found = split(text);
    if (!found.is_complete) return std::nullopt;
    return found.command;
}

std::string CommandLine::text() const {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
    return text;
}

}  // namespace mpiaudit
