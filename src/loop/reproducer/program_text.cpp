// SPDX-License-Identifier: BSD-3-Clause
#include "reproducer/program_text.h"

#include <sstream>
#include <string_view>

namespace mpiaudit {
namespace {

/// A line that begins with words between bars is kept where the calls name one of them.
constexpr std::string_view program =
#include "reproducer/program.inc"
    ;

void replace_all(std::string& text, const std::string& word, const std::string& by) {
    for (std::size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
}

bool is_kept(const std::string& wanted, const std::string& calls) {
    std::istringstream words(wanted);
    for (std::string word; words >> word;)
        if (calls.find(word) != std::string::npos) return true;
    return false;
}

}  // namespace

std::string program_text(const std::map<std::string, std::string>& words) {
    const std::string calls = words.at("LEFT") + words.at("RIGHT") + words.at("CHECK");
    std::istringstream lines{std::string(program)};
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('|')) {
            const std::size_t end = line.find('|', 1);
            if (!is_kept(line.substr(1, end - 1), calls)) continue;
            line.erase(0, end + 1);
        }
        text += line + '\n';
    }
    for (const auto& [word, by] : words) replace_all(text, '@' + word + '@', by);
    return text;
}

}  // namespace mpiaudit
