// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string_view>

#include "options/option_value.h"
#include "simulation/simulation.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns the decimal number without a sign and leading zeros; nullopt for any other text.
std::optional<std::uint64_t> whole_number(const std::string& text) {
    std::uint64_t value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    const bool is_plain = text.size() == 1 || !text.starts_with('0');
    if (error != std::errc{} || end != last || !is_plain) return std::nullopt;
    return value;
}

/// Removes `word` and the blanks behind it from the start of the text. Returns false if the text
/// begins otherwise.
bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return true;
}

}  // namespace

std::string joined(const Words& names, const char* separator) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
    return text;
}

std::string no_valid_value(const std::string& text, const Words& valid) {
    return unknown_name("value", text, valid);
}

std::uint64_t read_whole_number(const std::string& text, std::uint64_t least, std::uint64_t most) {
    const auto value = whole_number(text);
    if (!value || *value < least || *value > most)
        throw make_invalid_argument("'{}' is no whole number from {} to {}", text, least, most);
    return *value;
}

double read_number(const std::string& text, const Bounds& bounds) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    // Every comparison with NaN is false.
    if (!text.empty() && end == text.c_str() + text.size() && value >= bounds.least &&
        value <= bounds.most)
        return value;
    if (bounds.most == Bounds{}.most)
        throw make_invalid_argument("'{}' is no number of at least {}", text, bounds.least);
    throw make_invalid_argument("'{}' is no number from {} to {}", text, bounds.least, bounds.most);
}

RoundsOrAuto OptionType<RoundsOrAuto>::read(const std::string& text, const Bounds&) {
    constexpr int most = 999'999;
    const int least = platform().least_warm_up_rounds;
    if (text == automatic_warm_up) return {};
    const auto value = whole_number(text);
    if (value && *value >= static_cast<std::uint64_t>(least) && *value <= most)
        return static_cast<int>(*value);
    throw make_invalid_argument("'{}' is neither a number of rounds from {} to {} nor auto{}", text,
                                least, most,
                                least == 0 ? ""
                                           : "; in a simulation the first call of an operation may "
                                             "initialise data for later calls");
}

BlockSizes BlockSizes::read(const std::string& text) {
    if (text == spread_sizes) return {{}, true};
    BlockSizes sizes{{parse_sizes(text)}, false};
    if (sizes.all.front() == 0)
        throw std::invalid_argument(
            "b = 0 moves no data; to make some blocks empty, use the distribution "
            "two-blocks or --counts");
    return sizes;
}

ScaleNumbers ScaleNumbers::read(const std::string& text) {
    ScaleNumbers scales;
    std::string numbers;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        if (word == "all")
            scales.has_all = true;
        else
            numbers += (numbers.empty() ? "" : ",") + word;
    }
    if (numbers.empty() && scales.has_all) return scales;
    for (const Count number : parse_sizes(numbers)) {
        if (number == 0 || number > std::numeric_limits<int>::max())
            throw make_invalid_argument("{} is out of range; give 1 or more, as in 2,4,8,all",
                                        number);
        scales.numbers.push_back(static_cast<int>(number));
    }
    return scales;
}

Root Root::read(const std::string& text) {
    if (text == "half") return {};
    const auto rank = whole_number(text);
    if (!rank || *rank > std::uint64_t{std::numeric_limits<int>::max()})
        throw make_invalid_argument("'{}' is neither a rank nor half", text);
    return {static_cast<int>(*rank)};
}

int Root::among(int ranks) const {
    if (!rank) return ranks / 2;
    if (*rank < ranks) return *rank;
    throw UsageError("--root: there is no rank {} among {} rank{}; give 0 to {}, or half", *rank,
                     ranks, ranks == 1 ? "" : "s", ranks - 1);
}

FailureCondition FailureCondition::read(const std::string& text) {
    constexpr std::string_view more = ",communicators";
    FailureCondition condition;
    std::string_view rest = text;
    condition.has_communicators = rest.ends_with(more) && rest != "never" + std::string(more);
    if (condition.has_communicators) rest.remove_suffix(more.size());
    if (rest == "never") condition.is_wanted = false;
    if (rest == "never" || rest == "violation") return condition;
    const bool is_ratio = take_word(rest, "ratio") && take_word(rest, ">");
    condition.is_inclusive = take_word(rest, "=");
    const std::string number(rest);
    char* end = nullptr;
    condition.limit = std::strtod(number.c_str(), &end);
    if (!is_ratio || number.empty() || *end != '\0' ||
        number.find_first_not_of("0123456789.") != std::string::npos)
        throw make_invalid_argument(
            "'{}' is no condition; use never, violation, or a ratio as in 'ratio>1.5', "
            "and 'violation,communicators' if functions that make communicators count",
            text);
    return condition;
}

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
