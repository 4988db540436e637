// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "options/option_types.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {

/// States where the value of an option must be equal, and where it is recorded.
enum class BelongsTo {
    audit,    ///< what is measured and how: equal in all launches of an audit
    launch,   ///< equal in all sessions of a launch: --resume continues a launch
    session,  ///< may differ between sessions
    drawn,    ///< may differ between sessions; the drawn value is recorded if none is given
    terminal  ///< may differ between sessions; not recorded
};

/// Accesses the member of a struct of options that an option sets: at<&RunOptions::root>.
template <auto member>
struct MemberRef {
    static auto& of(auto& options) { return options.*member; }
};
/// Accesses an element of a member that is an array.
template <auto member, std::size_t place>
struct ElementRef {
    static auto& of(auto& options) { return (options.*member)[place]; }
};
template <auto member>
inline constexpr MemberRef<member> at{};

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// Reads and records one member of Options, according to the type of the member.
template <class Options>
struct Member {
    bool is_flag = false, is_list = false;
    Words (*names)() = nullptr;  ///< the only valid values; null if values are not names
    /// Returns the error in the text of a value, or of one item of a list; empty if there is none.
    std::string (*error_in)(const std::string& text, const Bounds&) = nullptr;
    /// Sets the member. Throws std::invalid_argument for an invalid value.
    void (*set)(Options&, const Words&, const Bounds&) = nullptr;
    /// Returns whether a record can have this value.
    bool (*fits)(const OptionValue&) = nullptr;
    OptionValue (*record)(const Options&) = nullptr;

    template <class Where>
    constexpr Member(Where) {
        using T = std::remove_cvref_t<decltype(Where::of(std::declval<Options&>()))>;
        is_flag = std::is_same_v<T, bool>;
        is_list = mpiaudit::is_list<T>;
        if constexpr (mpiaudit::is_list<T>) {
            error_in = [](const std::string&, const Bounds&) { return std::string(); };
            set = [](Options& options, const Words& words, const Bounds&) {
                Where::of(options) = words;
            };
            fits = [](const OptionValue& value) { return is_one_of<Words>(value); };
            record = [](const Options& options) -> OptionValue { return Where::of(options); };
        } else {
            if constexpr (requires { OptionType<T>::names(); }) names = &OptionType<T>::names;
            error_in = [](const std::string& text, const Bounds& bounds) -> std::string {
                return objection_of([&] { OptionType<T>::read(text, bounds); });
            };
            set = [](Options& options, const Words& words, const Bounds& bounds) {
                Where::of(options) =
                    words.empty() ? T{} : OptionType<T>::read(words.back(), bounds);
            };
            fits = &OptionType<T>::fits;
            record = [](const Options& options) {
                return OptionType<T>::record(Where::of(options));
            };
        }
    }
};

inline constexpr const char* of_no_group = "Options";

/// Describes an option of a command: its name, help, value and how it is recorded.
template <class Options>
struct OptionRow {
    const char* name;  ///< long name without dashes
    Member<Options> member;
    const char* help;
    const char* group = of_no_group;
    /// Name of the value in the help; null: the choices.
    const char* value = nullptr;
    Words (*choices)() = nullptr;
    /// Smallest and largest number.
    Bounds bounds = {};
    /// Further check: returns the error in the text of a value; empty if there is none.
    std::string (*check)(const std::string& text) = nullptr;
    /// Default in the help; null: the default value itself.
    const char* shown_default = nullptr;
    /// A required word without the name of an option.
    bool is_positional = false;
    /// The option takes all words behind "--".
    bool is_behind_dashes = false;
    /// Former name, which older audits recorded. The command line accepts the name, no help lists
    /// it.
    const char* former_name = nullptr;

    // The members below apply to options of `run` only.
    BelongsTo belongs_to = BelongsTo::session;
    /// The command that reproduces the measurement of one problem repeats the option.
    bool is_reproduced = false;
    /// The option acts when the MPI library starts, before the audit that --confirm names is read.
    bool acts_before_mpi = false;
    bool is_for_simulations = false;
    /// The short help of `run` shows the option.
    bool is_usual = false;
    /// The guideline and problem in the command that reproduces a measurement replace the option.
    bool is_replaced = false;

    Words valid() const {
        return choices != nullptr ? choices() : member.names != nullptr ? member.names() : Words{};
    }
    /// Returns the error in the text of a value, or of one item of a list; empty if there is none.
    std::string error_in(const std::string& text) const {
        const Words names = valid();
        if (!names.empty() && !is_among(names, text)) return no_valid_value(text, names);
        if (check != nullptr) {
            if (std::string error = check(text); !error.empty()) return error;
        }
        return member.error_in(text, bounds);
    }
    /// Sets a recorded value. Returns the error in the value; empty if there is none.
    std::string take(Options& options, const OptionValue& recorded) const {
        if (!member.fits(recorded)) return "'" + text_of(recorded) + "' is of another type";
        Words words = words_of(recorded);
        // Only options without a default may have no value.
        if (words.empty() && !member.is_list && !text_of(member.record({})).empty())
            words.emplace_back();
        for (const std::string& each : words) {
            if (std::string error = error_in(each); !error.empty()) return error;
        }
        member.set(options, words, bounds);
        return "";
    }
};

/// An option of a command, whatever struct its value is in.
struct BoundOption {
    std::string name;         ///< name with dashes; without dashes if positional
    std::string former_name;  ///< with dashes; empty: none
    std::string value;        ///< name of the value in the help; empty for a flag
    std::string help, group;
    Words choices;
    std::string shown_default;
    bool is_positional, is_behind_dashes, is_flag, is_list, is_usual;
    std::function<std::string(const std::string& text)> error_in;
    std::function<void(const Words& words)> set;
};

/// Returns the options of the rows; their set() changes `options`, whose values are the defaults in
/// the help.
template <class Options>
std::vector<BoundOption> bound(const auto& rows, Options& options) {
    std::vector<BoundOption> all;
    for (const OptionRow<Options>& row : rows) {
        const auto& member = row.member;
        const Words choices = row.valid();
        const OptionValue value = member.record(options);
        // The help shows no default for flags, options without a value, and a number of 0.
        const bool is_shown = !member.is_flag && !is_one_of<std::monostate>(value) &&
                              value != OptionValue(std::uint64_t{0}) && !text_of(value).empty();
        all.push_back(
            {.name = row.is_positional ? row.name : std::string("--") + row.name,
             .former_name = row.former_name != nullptr ? std::string("--") + row.former_name : "",
             .value = row.value != nullptr ? row.value
                      : !choices.empty()   ? joined(choices, "|")
                      : member.is_flag     ? ""
                                           : "VALUE",
             .help = row.help,
             .group = row.group,
             .choices = choices,
             .shown_default = row.shown_default != nullptr ? row.shown_default
                              : !is_shown                  ? ""
                              : member.is_list             ? "[" + text_of(value) + "]"
                                                           : text_of(value),
             .is_positional = row.is_positional,
             .is_behind_dashes = row.is_behind_dashes,
             .is_flag = member.is_flag,
             .is_list = member.is_list,
             .is_usual = row.is_usual,
             .error_in = [row](const std::string& text) { return row.error_in(text); },
             .set = [row, &options](
                        const Words& words) { row.member.set(options, words, row.bounds); }});
    }
    return all;
}

}  // namespace mpiaudit
