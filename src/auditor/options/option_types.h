// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/verdict.h"
#include "machine/machine_description.h"
#include "options/option_value.h"
#include "problem/arrivals.h"
#include "problem/count.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

// The types that options have. A value is read at the door, once: whoever is given it need not know
// that it was text.
namespace mpiaudit {

// The values of options that are amounts. Each function throws std::invalid_argument that names the
// value and the remedy; the door, which has read them, names the option.

/// Sizes, comma-separated: numbers (1,10,100) and ranges with a factor (1..1Mi:x10) or a step
/// (0..100:+10), whose end belongs to them only when it is hit. Suffixes k, M, G stand for powers
/// of 1000, Ki, Mi, Gi for powers of 1024. Returned ascending and without duplicates.
std::vector<Count> parse_sizes(std::string_view text);

/// One amount of memory in bytes: an integer with a suffix as above (4Gi).
std::uint64_t parse_bytes(std::string_view text);

/// A duration in seconds: a number of seconds (90, 1.5), or amounts with the units h, m, s, ms, us
/// from the largest to the smallest (1h30m, 250ms).
double parse_duration(std::string_view text);

/// The smallest and the largest number that an option takes.
struct Bounds {
    double least = 0, most = std::numeric_limits<double>::max();
};

using Words = std::vector<std::string>;

/// How a type is read and recorded:
///     static T read(const std::string& text, const Bounds&)   throws std::invalid_argument
///     static OptionValue record(const T&)
///     static bool fits(const OptionValue&)   whether a record has such values
///     static Words names()                   where only these are valid
template <class T>
struct OptionType;

/// A value with the words that gave it, which the record keeps; empty where nothing is given.
template <class T>
class AsGiven {
  public:
    AsGiven() = default;
    AsGiven(const char* text) : AsGiven(std::string(text)) {}
    AsGiven(std::string_view text) : AsGiven(std::string(text)) {}
    AsGiven(std::string text) : text_{std::move(text)} {
        if (!text_.empty()) value_ = OptionType<T>::read(text_, {});
    }

    bool empty() const { return text_.empty(); }
    const std::string& text() const { return text_; }
    const T& operator*() const { return value_.value(); }
    const T* operator->() const { return &value_.value(); }
    bool operator==(const AsGiven& other) const { return text_ == other.text_; }

  private:
    std::string text_;
    std::optional<T> value_;
};

enum class When { automatic, always, never };
inline constexpr judge::Names<When, 3> when_names{
    {{{When::automatic, "auto"}, {When::always, "always"}, {When::never, "never"}}}};

/// --heap
enum class HeapChoice { grown, young, both, free };
inline constexpr judge::Names<HeapChoice, 4> heap_names{{{{HeapChoice::grown, "grown"},
                                                          {HeapChoice::young, "young"},
                                                          {HeapChoice::both, "both"},
                                                          {HeapChoice::free, "free"}}}};

/// --buffers
enum class BufferChoice { same, used, rotate, cold };
inline constexpr judge::Names<BufferChoice, 4> buffer_names{{{{BufferChoice::same, "same"},
                                                              {BufferChoice::used, "used"},
                                                              {BufferChoice::rotate, "rotate"},
                                                              {BufferChoice::cold, "cold"}}}};

/// --bind
inline constexpr judge::Names<Binding, 3> binding_names{
    {{{Binding::core, "core"}, {Binding::numa, "numa"}, {Binding::none, "none"}}}};

struct Seconds {
    double count = 0;
    static Seconds read(const std::string& text) { return {parse_duration(text)}; }
};
struct Bytes {
    std::uint64_t count = 0;
    static Bytes read(const std::string& text) { return {parse_bytes(text)}; }
};
/// Ascending.
struct Sizes {
    std::vector<Count> all;
    static Sizes read(const std::string& text) { return {parse_sizes(text)}; }
};
/// None of which is 0.
struct BlockSizes : Sizes {
    /// Every distribution has few sizes of its own, which lie between those of the others, and the
    /// audit chooses further ones on the way, where these tell most.
    bool is_spread = false;
    static BlockSizes read(const std::string& text);
};
inline constexpr std::string_view spread_sizes = "spread";

struct Root {
    std::optional<int> rank;  ///< nothing: half of them
    /// Throws UsageError where there is no such rank.
    int among(int ranks) const;
    static Root read(const std::string& text);
};

/// What --fail-on asks about: violations whose ratio of left to right exceeds a limit.
struct FailureCondition {
    bool is_wanted = true;  ///< false for "never"
    double limit = 0;       ///< 0: every violation
    bool is_inclusive = false;

    bool fails(double ratio) const { return is_inclusive ? ratio >= limit : ratio > limit; }
    /// Of never, violation, ratio>1.5 or ratio>=1.5.
    static FailureCondition read(const std::string& text);
};

/// a|b|c
std::string joined(const Words& names, const char* separator);
/// What to tell of a value that is no choice.
std::string no_valid_value(const std::string& text, const Words& valid);

/// What --warmup says when the number of rounds is not fixed.
inline constexpr const char* automatic_warm_up = "auto";

// ---- How each is read.

template <class... Alternatives>
bool is_one_of(const OptionValue& value) {
    return (std::holds_alternative<Alternatives>(value) || ...);
}

template <>
struct OptionType<bool> {
    static bool read(const std::string& text, const Bounds&) { return text == "true"; }
    static OptionValue record(bool value) { return value; }
    static bool fits(const OptionValue& value) { return is_one_of<bool>(value); }
};

template <>
struct OptionType<std::string> {
    static std::string read(const std::string& text, const Bounds&) { return text; }
    static OptionValue record(const std::string& value) { return value; }
    static bool fits(const OptionValue& value) { return is_one_of<std::string>(value); }
};

/// Throws std::invalid_argument for what is no number between the bounds.
std::uint64_t read_whole_number(const std::string& text, std::uint64_t least, std::uint64_t most);
double read_number(const std::string& text, const Bounds& bounds);

template <std::integral T>
struct OptionType<T> {
    static T read(const std::string& text, const Bounds& bounds) {
        constexpr T largest = std::numeric_limits<T>::max();
        const bool is_bounded = bounds.most < static_cast<double>(largest);
        return static_cast<T>(
            read_whole_number(text, static_cast<std::uint64_t>(bounds.least),
                              static_cast<std::uint64_t>(is_bounded ? T(bounds.most) : largest)));
    }
    static OptionValue record(T value) { return static_cast<std::uint64_t>(value); }
    static bool fits(const OptionValue& value) {
        const auto* const number = std::get_if<std::uint64_t>(&value);
        return number != nullptr && *number <= std::uint64_t{std::numeric_limits<T>::max()};
    }
};

template <>
struct OptionType<double> {
    static double read(const std::string& text, const Bounds& bounds) {
        return read_number(text, bounds);
    }
    static OptionValue record(double value) { return value; }
    // JSON has one kind of numbers: 0 is one.
    static bool fits(const OptionValue& value) { return is_one_of<double, std::uint64_t>(value); }
};

template <class T>
struct OptionType<std::optional<T>> {
    static std::optional<T> read(const std::string& text, const Bounds& bounds) {
        return OptionType<T>::read(text, bounds);
    }
    static OptionValue record(const std::optional<T>& value) {
        return value ? OptionType<T>::record(*value) : OptionValue();
    }
    static bool fits(const OptionValue& value) {
        return is_one_of<std::monostate>(value) || OptionType<T>::fits(value);
    }
};

/// A number of rounds, or nothing for `auto`.
struct RoundsOrAuto : std::optional<int> {
    using std::optional<int>::optional;
    RoundsOrAuto(std::optional<int> rounds) : std::optional<int>{rounds} {}
};
template <>
struct OptionType<RoundsOrAuto> {
    static RoundsOrAuto read(const std::string& text, const Bounds&);
    static OptionValue record(RoundsOrAuto value) {
        return value ? OptionType<int>::record(*value) : OptionValue(automatic_warm_up);
    }
    static bool fits(const OptionValue& value) {
        return value == OptionValue(automatic_warm_up) || OptionType<int>::fits(value);
    }
};

template <class T>
struct OptionType<AsGiven<T>> {
    static AsGiven<T> read(const std::string& text, const Bounds& bounds) {
        if (text.empty()) OptionType<T>::read(text, bounds);  // no value, where one was to be given
        return text;
    }
    static OptionValue record(const AsGiven<T>& value) { return value.text(); }
    static bool fits(const OptionValue& value) { return is_one_of<std::string>(value); }
    static Words names() requires requires { OptionType<T>::names(); }
    { return OptionType<T>::names(); }
};

/// Of an enumeration with judge::Names.
template <class T, const auto& all>
struct OptionByName {
    static T read(const std::string& text, const Bounds&) {
        const auto found = all.find(text);
        if (!found) throw std::invalid_argument(no_valid_value(text, names()));
        return *found;
    }
    static OptionValue record(T value) { return std::string(all[value]); }
    static bool fits(const OptionValue& value) { return is_one_of<std::string>(value); }
    static Words names() {
        constexpr auto words = all.all();
        return {words.begin(), words.end()};
    }
};
template <>
struct OptionType<When> : OptionByName<When, when_names> {};
template <>
struct OptionType<HeapChoice> : OptionByName<HeapChoice, heap_names> {};
template <>
struct OptionType<BufferChoice> : OptionByName<BufferChoice, buffer_names> {};
template <>
struct OptionType<Binding> : OptionByName<Binding, binding_names> {};
template <>
struct OptionType<judge::Criterion> : OptionByName<judge::Criterion, judge::criterion_names> {};
template <>
struct OptionType<judge::Outliers> : OptionByName<judge::Outliers, judge::outliers_names> {};

/// Of what is found by one of some names, none of which is the value's own.
template <class T, std::optional<T> (*find)(std::string_view), Words (*all_names)()>
struct FoundByName {
    static T read(const std::string& text, const Bounds&) {
        auto found = find(text);
        if (!found) throw std::invalid_argument(no_valid_value(text, all_names()));
        return *found;
    }
    static Words names() { return all_names(); }
};
template <>
struct OptionType<Clock> : FoundByName<Clock, find_clock, clock_names> {};
template <>
struct OptionType<SampleStarts>
    : FoundByName<SampleStarts, find_sample_starts, sample_start_names> {};

/// Of what reads itself.
template <class T>
requires requires(const std::string& text) {
    T::read(text);
}
struct OptionType<T> {
    static T read(const std::string& text, const Bounds&) { return T::read(text); }
};

}  // namespace mpiaudit
