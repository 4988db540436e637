// SPDX-License-Identifier: BSD-3-Clause
#include "options/failure_condition.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace mpiaudit {
namespace {

/// Takes a word off the beginning of the text, and blanks behind it; false where it is not there.
bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return true;
}

}  // namespace

std::optional<FailureCondition> find_failure_condition(const std::string& text) {
    FailureCondition condition;
    std::string_view rest = text;
    if (rest == "never") condition.is_wanted = false;
    if (rest == "never" || rest == "violation") return condition;
    if (!take_word(rest, "ratio") || !take_word(rest, ">")) return std::nullopt;
    condition.is_inclusive = take_word(rest, "=");
    const std::string number(rest);
    if (number.empty() || number.find_first_not_of("0123456789.") != std::string::npos)
        return std::nullopt;
    char* end = nullptr;
    condition.limit = std::strtod(number.c_str(), &end);
    if (*end != '\0') return std::nullopt;
    return condition;
}

}  // namespace mpiaudit
