// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_value.h"

#include <fmt/format.h>

#include <algorithm>

namespace mpiaudit {
namespace {

struct InWords {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::uint64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return '"' + value + '"'; }
    std::string operator()(const std::vector<std::string>& values) const {
        std::string text;
        for (const std::string& each : values) text += (text.empty() ? "" : ",") + (*this)(each);
        return '[' + text + ']';
    }
};

}  // namespace

const OptionValue* find_option(const OptionValues& options, std::string_view name) {
    const auto found = std::ranges::find(options, name, &NamedOption::name);
    return found == options.end() ? nullptr : &found->value;
}

std::string in_words(const OptionValue& value) {
    return std::visit(InWords{}, value);
}

}  // namespace mpiaudit
