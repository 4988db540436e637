// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "options/option_types.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {

/// Which values of an option have to agree, and with which it is recorded.
enum class BelongsTo {
    audit,    ///< what is measured and how: the same in all launches of an audit
    launch,   ///< the same in all sessions of a launch, as --resume continues it
    session,  ///< may be another one whenever the program is started
    drawn,    ///< as above; recorded is what was drawn where nothing is given
    terminal  ///< as above, and not recorded
};

/// Where the value of an option goes: at<&RunOptions::root>.
template <auto member>
struct At {
    static auto& of(auto& options) { return options.*member; }
};
/// The same of a member that is an array.
template <auto member, std::size_t place>
struct AtPlace {
    static auto& of(auto& options) { return (options.*member)[place]; }
};
template <auto member>
inline constexpr At<member> at{};

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

/// A member of Options as what reads and records it; the type of the member decides how.
template <class Options>
struct Member {
    bool is_flag = false, is_list = false;
    Words (*names)() = nullptr;  ///< where only these are valid
    /// What is wrong with the text of a value, or of one item of a list; empty when nothing is.
    std::string (*error_in)(const std::string& text, const Bounds&) = nullptr;
    /// Throws std::invalid_argument.
    void (*set)(Options&, const Words&, const Bounds&) = nullptr;
    /// Whether a record has such values.
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

/// All that is to know about an option of a command.
template <class Options>
struct OptionRow {
    const char* name;  ///< long, without dashes
    Member<Options> member;
    const char* help;
    const char* group = of_no_group;
    /// What the help calls the value; by default the choices.
    const char* value = nullptr;
    Words (*choices)() = nullptr;
    /// Of numbers.
    Bounds bounds = {};
    /// Beyond what the type demands: what is wrong with the text of a value; empty when nothing is.
    std::string (*check)(const std::string& text) = nullptr;
    /// What the help shows as default instead of the value itself.
    const char* shown_default = nullptr;
    /// A word without an option's name, which has to be there.
    bool is_positional = false;
    /// Takes all words behind --.
    bool is_behind_dashes = false;

    // Of the options of `run` only:
    BelongsTo belongs_to = BelongsTo::session;
    /// Whether the command that measures one problem again repeats it.
    bool is_reproduced = false;
    /// Acts when the MPI library starts, when nothing is known yet of the audit that is confirmed.
    bool acts_before_mpi = false;
    bool is_for_simulations = false;
    /// In the help that is not --help-all.
    bool is_usual = false;
    /// What the command that measures one problem again says about the guideline and the problem
    /// takes its place.
    bool is_replaced = false;

    Words valid() const {
        return choices != nullptr ? choices() : member.names != nullptr ? member.names() : Words{};
    }
    /// What is wrong with the text of a value, or of one item of a list; empty when nothing is.
    std::string error_in(const std::string& text) const {
        const Words names = valid();
        if (!names.empty() && !is_among(names, text)) return no_valid_value(text, names);
        if (check != nullptr) {
            if (std::string error = check(text); !error.empty()) return error;
        }
        return member.error_in(text, bounds);
    }
    /// Sets a recorded value. Returns what is wrong with it; empty when nothing is.
    std::string take(Options& options, const OptionValue& recorded) const {
        if (!member.fits(recorded)) return "'" + text_of(recorded) + "' is of another type";
        Words words = words_of(recorded);
        // To have no value is right of options only that have none by default.
        if (words.empty() && !member.is_list && !text_of(member.record({})).empty())
            words.emplace_back();
        for (const std::string& each : words) {
            if (std::string error = error_in(each); !error.empty()) return error;
        }
        member.set(options, words, bounds);
        return "";
    }
};

/// An option of a command, whatever the struct that it belongs to.
struct BoundOption {
    std::string name;   ///< with dashes, unless it is a word of its own
    std::string value;  ///< what the help calls it; empty for a flag
    std::string help, group;
    Words choices;
    std::string shown_default;
    bool is_positional, is_behind_dashes, is_flag, is_list, is_usual;
    std::function<std::string(const std::string& text)> error_in;
    std::function<void(const Words& words)> set;
};

/// \param options that are set; with its defaults
template <class Options>
std::vector<BoundOption> bound(const auto& rows, Options& options) {
    std::vector<BoundOption> all;
    for (const OptionRow<Options>& row : rows) {
        const auto& member = row.member;
        const Words choices = row.valid();
        const OptionValue value = member.record(options);
        // Nothing, and no number of ranks, is no default to show.
        const bool is_shown = !member.is_flag && !is_one_of<std::monostate>(value) &&
                              value != OptionValue(std::uint64_t{0}) && !text_of(value).empty();
        all.push_back(
            {.name = row.is_positional ? row.name : std::string("--") + row.name,
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
