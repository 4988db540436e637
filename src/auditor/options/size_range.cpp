// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_sizes(), parse_bytes(), parse_rate() and parse_duration() of option_types.h.
#include "options/option_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "text/exit_code.h"

namespace mpiaudit {
namespace {

constexpr Count largest_count = std::numeric_limits<Count>::max();
/// Limit on the number of sizes: a mistyped step must not fill the memory.
constexpr std::size_t most_sizes = 100'000;

/// The whole value of an option, for messages.
struct OptionText {
    std::string_view whole;

    template <class... Values>
    [[noreturn]] void reject(fmt::format_string<Values...> reason, Values&&... values) const {
        throw make_invalid_argument("'{}': {}", whole,
                                    fmt::format(reason, std::forward<Values>(values)...));
    }
};

Count power_of_suffix(const OptionText& context, std::string_view suffix, std::string_view amount) {
    if (suffix.empty()) return 1;
    if (suffix == "k") return 1'000;
    if (suffix == "M") return 1'000'000;
    if (suffix == "G") return 1'000'000'000;
    if (suffix == "Ki") return Count{1} << 10;
    if (suffix == "Mi") return Count{1} << 20;
    if (suffix == "Gi") return Count{1} << 30;
    if (suffix.starts_with('-'))
        context.reject("a range has two dots, and a factor or a step: {}..{}:x10",
                       amount.substr(0, amount.size() - suffix.size()), suffix.substr(1));
    context.reject(
        "'{}' in '{}' is no suffix; use k, M, G (powers of 1000) or Ki, Mi, Gi (powers of 1024)",
        suffix, amount);
}

/// Parses a whole number with a suffix. Rejects fractions and numbers above 2^63 - 1.
Count parse_amount(const OptionText& context, std::string_view amount) {
    const auto digits = std::min(amount.find_first_not_of("0123456789"), amount.size());
    const bool is_fraction = digits > 0 && digits < amount.size() && amount[digits] == '.';
    if (digits == 0 || is_fraction) {
        context.reject("'{}' is not a non-negative integer; write one, such as 100 or 64Ki",
                       amount);
    }
    const Count power = power_of_suffix(context, amount.substr(digits), amount);
    Count number = 0;
    const auto result = std::from_chars(amount.data(), amount.data() + digits, number);
    if (result.ec != std::errc{} || number > largest_count / power) {
        context.reject("'{}' is too large; the largest is 2^63 - 1", amount);
    }
    return number * power;
}

struct SizeRange {
    Count first;
    Count last;
    bool multiplies;
    Count step;
};

/// Rejects a range that runs backwards or never ends.
void check_range(const OptionText& context, const SizeRange& range, std::string_view item) {
    if (range.last < range.first) {
        context.reject("the range '{}' ends below its start; swap them", item);
    }
    if (range.multiplies && range.step < 2) {
        context.reject("the factor of '{}' must be at least 2", item);
    }
    if (range.multiplies && range.first == 0) {
        context.reject("'{}' never leaves 0; start at 1, or add a step with :+", item);
    }
    if (!range.multiplies && range.step < 1) {
        context.reject("the step of '{}' must be at least 1", item);
    }
}

/// Parses a range; a single size is a range with equal ends.
SizeRange parse_item(const OptionText& context, std::string_view item) {
    const auto dots = item.find("..");
    if (dots == std::string_view::npos) {
        const Count size = parse_amount(context, item);
        return {.first = size, .last = size, .multiplies = false, .step = 1};
    }
    const auto colon = item.find(':');
    const bool has_step = colon != std::string_view::npos && colon > dots &&
                          colon + 1 < item.size() &&
                          (item[colon + 1] == 'x' || item[colon + 1] == '+');
    if (!has_step) {
        context.reject(
            "the range '{}' needs a first and a last size and a factor or a step, such as "
            "1..1000:x10 or 0..100:+10",
            item);
    }
    const SizeRange range{.first = parse_amount(context, item.substr(0, dots)),
                          .last = parse_amount(context, item.substr(dots + 2, colon - dots - 2)),
                          .multiplies = item[colon + 1] == 'x',
                          .step = parse_amount(context, item.substr(colon + 2))};
    check_range(context, range, item);
    return range;
}

/// Adds all sizes of a checked range. Rejects more than `most_sizes` sizes in all.
void append_range(const OptionText& context, const SizeRange& range, std::vector<Count>& sizes) {
    Count size = range.first;
    while (true) {
        if (sizes.size() == most_sizes) {
            context.reject("more than {} sizes; use a larger step", most_sizes);
        }
        sizes.push_back(size);
        const bool ends =
            range.multiplies ? size > range.last / range.step : size > range.last - range.step;
        if (ends) return;
        size = range.multiplies ? size * range.step : size + range.step;
    }
}

struct Unit {
    std::string_view name;
    double seconds;
};
constexpr std::array<Unit, 5> units{{{"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}}};

/// Removes a decimal number from the start of the text and returns it.
double take_number(const OptionText& context, std::string_view& text) {
    double number = 0;
    // from_chars would also accept a sign, "inf" and "nan".
    const bool starts_with_digit = !text.empty() && text[0] >= '0' && text[0] <= '9';
    const auto result =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (!starts_with_digit || result.ec != std::errc{}) {
        context.reject("not a duration; write amounts with units, such as 90s, 1h30m or 250ms");
    }
    text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
    return number;
}

}  // namespace

std::vector<Count> parse_sizes(std::string_view text) {
    const OptionText context{text};
    std::vector<Count> sizes;
    std::string_view rest = text;
    while (true) {
        const std::string_view item = rest.substr(0, rest.find(','));
        append_range(context, parse_item(context, item), sizes);
        if (item.size() == rest.size()) break;
        rest.remove_prefix(item.size() + 1);
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::uint64_t parse_bytes(std::string_view text) {
    return static_cast<std::uint64_t>(parse_amount({text}, text));
}

double parse_rate(std::string_view text) {
    constexpr std::string_view prefixes = "kMGT", per_second = "/s";
    constexpr double bits_of_byte = 8;
    const OptionText context{text};
    const auto reject = [&] {
        context.reject("not a rate; write 100Gb/s for bits or 12.5GB/s for bytes");
    };
    double rate = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), rate, std::chars_format::fixed);
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || !(rate > 0) || !std::isfinite(rate) || !unit.ends_with(per_second))
        reject();
    unit.remove_suffix(per_second.size());
    const std::size_t power = unit.empty() ? prefixes.npos : prefixes.find(unit.front());
    if (power != prefixes.npos) {
        rate *= std::pow(1000, static_cast<double>(power + 1));
        unit.remove_prefix(1);
    }
    if (unit != "b" && unit != "B") reject();
    return unit == "b" ? rate / bits_of_byte : rate;
}

double parse_duration(std::string_view text) {
    const OptionText context{text};
    std::string_view rest = text;
    double seconds = take_number(context, rest);
    if (rest.empty() && seconds > 0)
        context.reject("the unit is missing: {}s, {}m or {}h?", text, text, text);
    if (rest.empty()) return 0;
    double amount = seconds;
    seconds = 0;
    const Unit* allowed = units.data();
    const Unit* const end = units.data() + units.size();
    while (true) {
        const std::string_view name = rest.substr(0, rest.find_first_of("0123456789."));
        const Unit* const unit = std::find_if(
            allowed, end, [name](const Unit& candidate) { return candidate.name == name; });
        if (unit == end) {
            context.reject(
                "'{}' is no unit here; use h, m, s, ms, us, from the largest to the smallest",
                name);
        }
        seconds += amount * unit->seconds;
        rest.remove_prefix(name.size());
        if (rest.empty()) return seconds;
        amount = take_number(context, rest);
        allowed = unit + 1;
    }
}

}  // namespace mpiaudit
