// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpiaudit {

/// What --warmup says when the number of rounds is not fixed.
inline constexpr const char* automatic_warm_up = "auto";

enum class When { automatic, always, never };

/// Which values of an option have to agree, and with which it is recorded.
enum class BelongsTo {
    audit,    ///< what is measured and how: the same in all launches of an audit
    launch,   ///< the same in all sessions of a launch, as --resume continues it
    session,  ///< may be another one whenever the program is started
    drawn,    ///< as above; recorded is what was drawn where nothing is given
    terminal  ///< as above, and not recorded
};

/// Where the value of an option goes. An optional int is a number of rounds or `auto`, which is
/// nothing.
template <class Options>
using OptionMember =
    std::variant<bool Options::*, int Options::*, std::uint64_t Options::*, double Options::*,
                 std::string Options::*, std::vector<std::string> Options::*,
                 std::optional<int> Options::*, std::optional<std::uint64_t> Options::*,
                 std::optional<double> Options::*, When Options::*>;

/// All that is to know about an option of a command.
template <class Options>
struct OptionRow {
    const char* name;  ///< long, without dashes
    OptionMember<Options> member;
    const char* help;
    const char* group = "Options";
    /// What the help calls the value; by default the choices, or the type.
    const char* value = nullptr;
    std::vector<std::string> (*choices)() = nullptr;
    /// Of values that are no choice: what is wrong with the text of one; empty when nothing is.
    std::string (*check)(const std::string& text) = nullptr;
    /// What the help shows as default instead of the value itself.
    const char* shown_default = nullptr;
    /// A word without an option's name, which has to be there.
    bool is_positional = false;

    // Of the options of `run` only:
    BelongsTo belongs_to = BelongsTo::session;
    /// Whether the command that measures one problem again repeats it. Where not, what that command
    /// says about the guideline and the problem takes its place.
    bool is_reproduced = false;
    /// Acts when the MPI library starts, when nothing is known yet of the audit that is confirmed.
    bool acts_before_mpi = false;
    bool is_for_simulations = false;
    /// Sets the value of an option that is not given, where it depends on the others.
    void (*when_not_given)(Options& options) = nullptr;

    /// What is wrong with the text of a value, or of one item of a list; empty when nothing is.
    std::string error_in(const std::string& text) const;
};

/// a|b|c
std::string joined(const std::vector<std::string>& names, const char* separator);

/// What to tell of a value that is no choice.
std::string none_of(const std::string& text, const std::vector<std::string>& valid);

template <class Options>
std::string OptionRow<Options>::error_in(const std::string& text) const {
    if (choices == nullptr) return check == nullptr ? "" : check(text);
    const std::vector<std::string> valid = choices();
    if (std::find(valid.begin(), valid.end(), text) != valid.end()) return "";
    return none_of(text, valid);
}

}  // namespace mpiaudit
