// SPDX-License-Identifier: BSD-3-Clause
#include "options/packed_options.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "text/string_list.h"

namespace mpiaudit {
namespace {

struct Packed {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool value) const { return value ? "1" : "0"; }
    std::string operator()(std::uint64_t value) const { return fmt::format("{}", value); }
    // The shortest text that is read as the same number.
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const std::vector<std::string>& value) const { return packed(value); }
};

template <class Number>
Number number_in(const std::string& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        throw std::invalid_argument("not a packed number");
    return number;
}

/// \param type the place of the alternative in OptionValue
OptionValue value_of(std::size_t type, const std::string& text) {
    switch (type) {
        case 0:
            return std::monostate{};
        case 1:
            return text == "1";
        case 2:
            return number_in<std::uint64_t>(text);
        case 3:
            return number_in<double>(text);
        case 4:
            return text;
        case 5:
            return unpacked(text);
        default:
            throw std::invalid_argument("not a packed option");
    }
}

}  // namespace

std::string packed(const OptionValues& options) {
    std::vector<std::string> texts;
    for (const auto& [name, value] : options) {
        texts.push_back(name);
        texts.push_back(std::to_string(value.index()));
        texts.push_back(std::visit(Packed{}, value));
    }
    return packed(texts);
}

OptionValues unpacked_options(std::string_view text) {
    const std::vector<std::string> texts = unpacked(text);
    if (texts.size() % 3 != 0) throw std::invalid_argument("not packed options");
    OptionValues options;
    for (std::size_t i = 0; i < texts.size(); i += 3)
        options.push_back({texts[i], value_of(number_in<std::size_t>(texts[i + 1]), texts[i + 2])});
    return options;
}

}  // namespace mpiaudit
