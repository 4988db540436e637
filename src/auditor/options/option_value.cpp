// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

struct AsText {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::string>& list) const {
        return fmt::format("{}", fmt::join(list, ","));
    }
    template <class T>
    std::string operator()(T value) const {
        return fmt::format("{}", value);
    }
};

}  // namespace

const OptionValue* find_option(const OptionValues& options, std::string_view name) {
    const auto found = std::ranges::find(options, name, &NamedOption::name);
    return found == options.end() ? nullptr : &found->value;
}

void set_option(OptionValues& options, const std::string& name, OptionValue value) {
    auto place = std::ranges::lower_bound(options, name, {}, &NamedOption::name);
    if (place == options.end() || place->name != name) place = options.insert(place, {name, {}});
    place->value = std::move(value);
}

std::string text_of(const OptionValue& value) {
    return std::visit(AsText{}, value);
}

std::vector<std::string> words_of(const OptionValue& value) {
    if (const auto* const list = std::get_if<std::vector<std::string>>(&value)) return *list;
    std::string text = text_of(value);
    if (text.empty()) return {};
    return {std::move(text)};
}

std::string in_words(const OptionValue& value) {
    return std::visit(InWords{}, value);
}

}  // namespace mpiaudit
