// SPDX-License-Identifier: BSD-3-Clause
#include "options/help_format.h"

namespace mpiaudit {
namespace {

constexpr std::size_t columns = 80;
constexpr std::size_t right_column = 26;

/// `text` in lines that begin at the right column, the first of which is behind `left`.
std::string beside(const std::string& left, const std::string& text) {
    const std::string margin(right_column, ' ');
    std::string result = left;
    std::size_t column = left.size();
    if (column + 2 > right_column) {
        result += '\n' + margin;
    } else {
        result += margin.substr(column);
    }
    column = right_column;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const bool is_first = column == right_column;
        if (!is_first && column + 1 + end - at > columns) {
            result += '\n' + margin;
            column = right_column;
        } else if (!is_first) {
            result += ' ';
            ++column;
        }
        result += text.substr(at, end - at);
        column += end - at;
        at = end + 1;
    }
    return result + '\n';
}

}  // namespace

std::string FoldedHelp::make_option(const CLI::Option* option, bool is_positional) const {
    std::string left = "  " + option->get_name(is_positional, !is_positional);
    if (option->get_type_size() != 0 && !option->get_type_name().empty())
        left += " " + option->get_type_name();
    std::string text = make_option_desc(option);
    const std::string given = option->get_default_str();
    // Lists come with brackets.
    if (!given.empty()) text += given.starts_with('[') ? " " + given : " [" + given + "]";
    return beside(left, text);
}

std::string FoldedHelp::make_subcommand(const CLI::App* command) const {
    return beside("  " + command->get_name(), command->get_description());
}

}  // namespace mpiaudit
