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
#include "memory/memory_kind.h"
#include "options/option_value.h"
#include "problem/arrivals.h"
#include "problem/count.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

// The types of options. Text is converted when it is parsed; later code uses the values.
namespace mpiaudit {

// Values that are amounts. Each function throws std::invalid_argument that names the value and the
// remedy; the parser adds the name of the option.

/// Parses comma-separated sizes: numbers (1,10,100), and ranges with a factor (1..1Mi:x10) or a
/// step (0..100:+10). A range includes its end only if the steps hit the end. Suffixes k, M, G are
/// powers of 1000, and Ki, Mi, Gi powers of 1024. Returns the sizes in ascending order without
/// duplicates.
std::vector<Count> parse_sizes(std::string_view text);

/// Parses one amount of memory in bytes: an integer with a suffix as in parse_sizes() (4Gi).
std::uint64_t parse_bytes(std::string_view text);

/// Parses the rate of a link in bytes per second: a number with the unit b/s (bits) or B/s (bytes),
/// which may have a prefix k, M, G or T (100Gb/s).
double parse_rate(std::string_view text);

/// Parses a duration in seconds: amounts with the units h, m, s, ms, us from the largest to the
/// smallest (1h30m, 250ms), or 0.
double parse_duration(std::string_view text);

/// Smallest and largest valid number.
struct Bounds {
    double least = 0, most = std::numeric_limits<double>::max();
};

using Words = std::vector<std::string>;

/// Reads and records values of one type:
///     static T read(const std::string& text, const Bounds&)   throws std::invalid_argument
///     static OptionValue record(const T&)
///     static bool fits(const OptionValue&)   whether a record can have this value
///     static Words names()                   the only valid values, if values are names
template <class T>
struct OptionType;

/// A value with its text, which the record keeps; empty if no value is given.
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

/// Values of --known: whether generated calls are made that are known to end the launch.
enum class KnownCalls { skip, test };
inline constexpr judge::Names<KnownCalls, 2> known_calls_names{
    {{{KnownCalls::skip, "skip"}, {KnownCalls::test, "test"}}}};

/// Values of --heap.
enum class HeapChoice { grown, young, both, free };
inline constexpr judge::Names<HeapChoice, 4> heap_names{{{{HeapChoice::grown, "grown"},
                                                          {HeapChoice::young, "young"},
                                                          {HeapChoice::both, "both"},
                                                          {HeapChoice::free, "free"}}}};

/// Values of --buffers.
enum class BufferChoice { same, used, rotate, cold };
inline constexpr judge::Names<BufferChoice, 4> buffer_names{{{{BufferChoice::same, "same"},
                                                              {BufferChoice::used, "used"},
                                                              {BufferChoice::rotate, "rotate"},
                                                              {BufferChoice::cold, "cold"}}}};

/// Values of --bind.
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
/// Sizes in ascending order.
struct Sizes {
    std::vector<Count> all;
    static Sizes read(const std::string& text) { return {parse_sizes(text)}; }
};
/// Block sizes in elements, all positive.
struct BlockSizes : Sizes {
    /// The audit chooses sizes: it begins with few sizes for each distribution, which lie between
    /// the sizes of other distributions, and adds sizes where they tell most.
    bool is_spread = false;
    static BlockSizes read(const std::string& text);
};
inline constexpr std::string_view spread_sizes = "spread";

/// Numbers of ranks or nodes, for an audit each.
struct ScaleNumbers {
    std::vector<int> numbers;  ///< ascending
    bool has_all = false;      ///< the whole launch, too
    /// Reads numbers and ranges as parse_sizes() does, and the word all: 2,4,8,all.
    static ScaleNumbers read(const std::string& text);
};

struct Root {
    std::optional<int> rank;  ///< nullopt: half of the ranks
    /// Returns the root. Throws UsageError if there is no such rank.
    int among(int ranks) const;
    static Root read(const std::string& text);
};

/// The condition of --fail-on: violations whose ratio exceeds a limit.
struct FailureCondition {
    bool is_wanted = true;  ///< false for "never"
    double limit = 0;       ///< 0: every violation
    bool is_inclusive = false;
    /// Functions that make communicators count, too. The advice about these is to keep the
    /// communicator, so their ratio costs a program little.
    bool has_communicators = false;

    bool fails(double ratio) const { return is_inclusive ? ratio >= limit : ratio > limit; }
    /// Reads never, violation, ratio>1.5 or ratio>=1.5, and ",communicators" behind one of the last
    /// three.
    static FailureCondition read(const std::string& text);
};

/// Returns the names with `separator` between them.
std::string joined(const Words& names, const char* separator);
/// Returns the error for a text that is none of the valid values.
std::string no_valid_value(const std::string& text, const Words& valid);

/// The value of --warmup for an automatic number of rounds.
inline constexpr const char* automatic_warm_up = "auto";

// ---- Reading and recording of each type.

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

/// Read a number. Throw std::invalid_argument if the text is no number within the bounds.
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
    // JSON does not distinguish 0 and 0.0.
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

/// A number of rounds; nullopt for `auto`.
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
        if (text.empty()) OptionType<T>::read(text, bounds);
        return text;
    }
    static OptionValue record(const AsGiven<T>& value) { return value.text(); }
    static bool fits(const OptionValue& value) { return is_one_of<std::string>(value); }
    static Words names() requires requires { OptionType<T>::names(); }
    { return OptionType<T>::names(); }
};

/// Values of an enumeration, by its judge::Names.
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
struct OptionType<KnownCalls> : OptionByName<KnownCalls, known_calls_names> {};
template <>
struct OptionType<BufferChoice> : OptionByName<BufferChoice, buffer_names> {};
template <>
struct OptionType<Binding> : OptionByName<Binding, binding_names> {};
template <>
struct OptionType<judge::Criterion> : OptionByName<judge::Criterion, judge::criterion_names> {};
template <>
struct OptionType<judge::Outliers> : OptionByName<judge::Outliers, judge::outliers_names> {};

/// Values that find() returns for a name.
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

/// Types with a member function read().
template <class T>
requires requires(const std::string& text) {
    T::read(text);
}
struct OptionType<T> {
    static T read(const std::string& text, const Bounds&) { return T::read(text); }
};

}  // namespace mpiaudit
