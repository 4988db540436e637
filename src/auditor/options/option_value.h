// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/packed.h"

namespace mpiaudit {

/// The recorded value of an option. The row of the option determines the alternative. An option
/// without a value and a default is std::monostate.
using OptionValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string,
                                 std::vector<std::string>>;

/// An option with its long name without dashes.
struct NamedOption {
    std::string name;
    OptionValue value;
    bool operator==(const NamedOption&) const = default;
};

/// Options sorted by name.
using OptionValues = std::vector<NamedOption>;

/// Returns the value of this name; std::monostate if there is none.
const OptionValue& option_in(const OptionValues& options, std::string_view name);
/// Sets the value of this name; adds the option if it is missing.
void set_option(OptionValues& options, const std::string& name, OptionValue value);

/// Returns the value as on the command line: 400, 0.05, a,b,c; empty for std::monostate.
std::string text_of(const OptionValue& value);
/// Returns the items of a list, or a single value; no words for std::monostate.
std::vector<std::string> words_of(const OptionValue& value);
/// Returns the value for messages: "half", 3, true, ["a","b"]; null for std::monostate.
std::string in_words(const OptionValue& value);

MPIAUDIT_MEMBERS(NamedOption, (name, value))

}  // namespace mpiaudit
