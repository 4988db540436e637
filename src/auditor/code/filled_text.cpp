// SPDX-License-Identifier: BSD-3-Clause
#include "code/filled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Begins a section.
constexpr std::string_view section = "@@";

using Holds = std::function<bool(std::string_view)>;

/// Words of which one must hold.
using Condition = std::vector<std::string>;

bool is_denied(const std::string& word) {
    return word.starts_with('!');
}

/// Takes the conditions from the beginning of a line.
std::vector<Condition> take_conditions(std::string& line) {
    std::vector<Condition> all;
    while (line.starts_with('|')) {
        const auto end = std::ranges::find(line.begin() + 1, line.end(), '|');
        std::istringstream words(std::string(line.begin() + 1, end));
        all.emplace_back(std::istream_iterator<std::string>(words),
                         std::istream_iterator<std::string>());
        line.erase(line.begin(), end + 1);
    }
    return all;
}

bool all_hold(const std::vector<Condition>& conditions, const Holds& holds) {
    return std::ranges::all_of(conditions, [&](const Condition& each) {
        return std::ranges::any_of(each, [&](const std::string& word) {
            return is_denied(word) ? !holds(word.substr(1)) : holds(word);
        });
    });
}

/// Calls a function with each line without its conditions, and with the conditions. The lines that
/// begin a section have their sign.
void for_each_line(std::string_view text, const auto& function) {
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const bool begins_section = line.starts_with(section);
        if (begins_section) line.erase(0, section.size());
        const std::vector<Condition> conditions = take_conditions(line);
        function(line, conditions, begins_section);
    }
}

}  // namespace

std::string filled_text(std::string_view text, const std::map<std::string, std::string>& words,
                        const Holds& holds) {
    std::string filled;
    bool is_in_section = true;
    for_each_line(text, [&](const std::string& line, const std::vector<Condition>& conditions,
                            bool begins_section) {
        if (begins_section)
            is_in_section = all_hold(conditions, holds);
        else if (is_in_section && all_hold(conditions, holds))
            filled += line + '\n';
    });
    for (const auto& [word, by] : words) replace_all(filled, '@' + word + '@', by);
    return filled;
}

std::set<std::string> words_of_conditions(std::string_view text) {
    std::set<std::string> all;
    for_each_line(text, [&](const std::string&, const std::vector<Condition>& conditions, bool) {
        for (const Condition& each : conditions)
            for (const std::string& word : each) all.insert(word.substr(is_denied(word) ? 1 : 0));
    });
    return all;
}

std::string folded(const std::vector<std::string>& pieces, std::string_view line_break) {
    constexpr std::size_t width = 90;
    std::string text;
    std::size_t columns = 0;
    for (const std::string& each : pieces) {
        if (columns > 0 && columns + each.size() > width) {
            while (text.ends_with(' ')) text.pop_back();
            text += line_break;
            columns = 0;
        }
        text += each;
        columns += each.size();
    }
    return text;
}

std::string folded_numbers(const std::vector<std::int64_t>& all) {
    std::vector<std::string> pieces;
    for (const std::int64_t each : all) pieces.push_back(fmt::format("{}, ", each));
    const std::string text = folded(pieces, "\n    ");
    return text.substr(0, text.size() - 2);
}

}  // namespace mpiaudit
