// SPDX-License-Identifier: BSD-3-Clause
#include "text/console.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "text/plain.h"

namespace mpiaudit {
namespace {

/// errno of the first failed write to standard output, or 0.
int& first_error() {
    static int error = 0;
    return error;
}

/// Makes the text plain, but keeps the marks of emphasis and remarks.
std::string plain_but_for_emphasis(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t at = std::min({text.find(emphasis_begins), text.find(remark_begins),
                                         text.find(emphasis_ends), text.size()});
        result += plain(text.substr(0, at));
        text.remove_prefix(at);
        for (const std::string_view mark : {emphasis_begins, remark_begins, emphasis_ends}) {
            if (!text.starts_with(mark)) continue;
            result += mark;
            text.remove_prefix(mark.size());
        }
    }
    return result;
}

/// Splits a text at blanks; in a command, blanks within quotes do not split.
std::vector<std::string> words_of(const std::string& text, bool is_command) {
    std::vector<std::string> words;
    bool is_quoted = false, is_new = true;
    for (const char c : text) {
        if (is_command && c == '\'') is_quoted = !is_quoted;
        if (c == ' ' && !is_quoted) {
            is_new = true;
            continue;
        }
        if (is_new) words.emplace_back();
        is_new = false;
        words.back() += c;
    }
    return words;
}

/// Joins words to lines of at most `columns` characters; a longer word has a line of its own.
std::vector<std::string> lines_of_words(const std::vector<std::string>& words, int columns,
                                        const std::string& indent) {
    std::vector<std::string> lines(1);
    bool is_empty = true;
    for (const std::string& word : words) {
        if (!is_empty &&
            lines.back().size() + 1 + word.size() > static_cast<std::size_t>(columns)) {
            lines.push_back(indent);
            is_empty = true;
        }
        lines.back() += (is_empty ? "" : " ") + word;
        is_empty = false;
    }
    return lines;
}

}  // namespace

void open_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // open() takes the lowest free number, which is `stream`. The mode is the opposite of the
        // stream's use, so that writing to a closed standard output still fails.
        [[maybe_unused]] const int opened =
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void say_text(std::string_view text) {
    const std::string safe = plain_but_for_emphasis(text);
    if (std::fwrite(safe.data(), 1, safe.size(), stdout) < safe.size() && first_error() == 0)
        first_error() = errno;
    // Flushed at once, so that a crash does not lose the text.
    if (std::fflush(stdout) != 0 && first_error() == 0) first_error() = errno;
}

void remark_text(std::string_view text) {
    const std::string line = "mpiaudit: " + plain(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

const char* output_error() {
    return first_error() == 0 ? nullptr : std::strerror(first_error());
}

std::string shortened(const std::string& text, std::size_t columns) {
    constexpr std::string_view more = " ...";
    std::string kept = text.substr(0, columns - std::min(columns, more.size()));
    kept.erase(kept.find_last_not_of(' ') + 1);
    return kept + std::string(more);
}

std::string wrapped(const std::string& text, int columns, const std::string& indent,
                    std::size_t most) {
    std::vector<std::string> words = words_of(text, false);
    // Leading blanks stay in front of the first word.
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    if (!words.empty()) words.front().insert(0, blanks, ' ');
    std::vector<std::string> lines = lines_of_words(words, columns, indent);
    if (most > 0 && lines.size() > most) {
        lines.resize(most);
        lines.back() = shortened(lines.back(), static_cast<std::size_t>(columns));
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string folded_command(const std::string& command, int columns, const std::string& indent) {
    std::vector<std::string> lines = lines_of_words(
        words_of(command, true), columns - 2 - static_cast<int>(indent.size()), "  ");
    for (std::string& line : lines) line.insert(0, indent);
    return fmt::format("{}\n", fmt::join(lines, " \\\n"));
}

std::size_t number_of_lines(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace mpiaudit
