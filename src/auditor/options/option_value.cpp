// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

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

struct InWords : AsText {
    using AsText::operator();
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(const std::string& text) const { return '"' + text + '"'; }
    std::string operator()(const std::vector<std::string>& list) const {
        if (list.empty()) return "[]";
        return fmt::format("[\"{}\"]", fmt::join(list, "\",\""));
    }
};

}  // namespace

const OptionValue& option_in(const OptionValues& options, std::string_view name) {
    static const OptionValue none;
    const NamedOption* const found = find_in(options, name, &NamedOption::name);
    return found == nullptr ? none : found->value;
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
