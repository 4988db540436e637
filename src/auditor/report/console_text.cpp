// SPDX-License-Identifier: BSD-3-Clause
#include "report/console_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "text/console.h"

namespace mpiaudit {
namespace {

/// The words of a text; a shell does not end one within quotes.
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

/// Lines that are no longer than `columns`, unless a word is.
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

std::string joined_lines(const std::vector<std::string>& lines, const char* between) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : between) + line;
    return text + "\n";
}

}  // namespace

std::string shortened(const std::string& text, std::size_t columns) {
    constexpr std::string_view more = " ...";
    std::string kept = text.substr(0, columns - std::min(columns, more.size()));
    kept.erase(kept.find_last_not_of(' ') + 1);
    return kept + std::string(more);
}

std::string wrapped(const std::string& text, int columns, const std::string& indent,
                    std::size_t most) {
    std::vector<std::string> words = words_of(text, false);
    // What the text begins with stays in front of its first word.
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    if (!words.empty()) words.front().insert(0, blanks, ' ');
    std::vector<std::string> lines = lines_of_words(words, columns, indent);
    if (most == 0 || lines.size() <= most) return joined_lines(lines, "\n");
    lines.resize(most);
    lines.back() = shortened(lines.back(), static_cast<std::size_t>(columns));
    return joined_lines(lines, "\n");
}

std::string folded_command(const std::string& command, int columns, const std::string& indent) {
    std::vector<std::string> lines = lines_of_words(
        words_of(command, true), columns - 2 - static_cast<int>(indent.size()), "  ");
    for (std::string& line : lines) line.insert(0, indent);
    return joined_lines(lines, " \\\n");
}

std::size_t number_of_lines(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string emphasised(const std::string& text, const Terminal& terminal, CheckKind kind) {
    if (!terminal.colour) return text;
    return std::string(kind == CheckKind::verdict ? emphasis_begins : remark_begins) + text +
           std::string(emphasis_ends);
}

std::string microseconds(double seconds) {
    const double us = seconds * 1e6;
    if (us < 9.9995) return fmt::format("{:.3f}", us);
    if (us < 99.995) return fmt::format("{:.2f}", us);
    if (us < 999.95) return fmt::format("{:.1f}", us);
    if (us < 99999.5) return fmt::format("{:.0f}", us);
    if (us < 999.5e3) return fmt::format("{:.0f}k", us / 1e3);
    return fmt::format("{:.3g}M", us / 1e6);
}

std::string ratio_text(double ratio) {
    if (!std::isfinite(ratio)) return "inf";
    if (ratio >= 100) return fmt::format("{:.0f}", ratio);
    return fmt::format("{:.{}f}", ratio, ratio >= 10 ? 1 : 2);
}

std::string bytes_text(std::int64_t bytes) {
    constexpr std::array<const char*, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double count = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; count >= 1024 && unit + 1 < units.size(); ++unit) count /= 1024;
    // Three digits, but not 1e+03.
    if (count >= 999.5) return fmt::format("{:.0f} {}", count, units[unit]);
    return fmt::format("{:.3g} {}", count, units[unit]);
}

std::string counted(std::size_t count, const std::string& word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace mpiaudit
