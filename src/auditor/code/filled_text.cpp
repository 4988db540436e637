// SPDX-License-Identifier: BSD-3-Clause
#include "code/filled_text.h"

#include <fmt/format.h>

#include <sstream>

#include "text/plain.h"

namespace mpiaudit {
namespace {

using Holds = std::function<bool(std::string_view)>;

bool any_holds(const std::string& condition, const Holds& holds) {
    std::istringstream words(condition);
    for (std::string word; words >> word;)
        if (word.starts_with('!') ? !holds(word.substr(1)) : holds(word)) return true;
    return false;
}

/// Removes the conditions from the beginning of a line. Returns whether all of them hold.
bool take_conditions(std::string& line, const Holds& holds) {
    bool all_hold = true;
    while (line.starts_with('|')) {
        const std::size_t end = line.find('|', 1);
        all_hold = all_hold && any_holds(line.substr(1, end - 1), holds);
        line.erase(0, end + 1);
    }
    return all_hold;
}

}  // namespace

std::string filled_text(std::string_view text, const std::map<std::string, std::string>& words,
                        const Holds& holds) {
    constexpr std::string_view section = "@@";
    std::istringstream lines{std::string(text)};
    std::string filled;
    bool is_in_section = true;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(section)) {
            line.erase(0, section.size());
            is_in_section = take_conditions(line, holds);
        } else if (is_in_section && take_conditions(line, holds)) {
            filled += line + '\n';
        }
    }
    for (const auto& [word, by] : words) replace_all(filled, '@' + word + '@', by);
    return filled;
}

std::string folded_numbers(const std::vector<std::int64_t>& all) {
    constexpr std::size_t width = 90;
    std::string text, line;
    for (const std::int64_t each : all) {
        const std::string number = fmt::format("{}, ", each);
        if (line.size() + number.size() > width) {
            text += line + "\n    ";
            line.clear();
        }
        line += number;
    }
    text += line;
    return text.substr(0, text.size() - 2);
}

}  // namespace mpiaudit
