// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/packed.h"

namespace mpiaudit {

/// The value of an option as it is recorded; which alternative an option has is in its row of the
/// option table. An option that is neither given nor has a default is std::monostate.
using OptionValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string,
                                 std::vector<std::string>>;

/// An option by its long name without dashes.
struct NamedOption {
    std::string name;
    OptionValue value;
    bool operator==(const NamedOption&) const = default;
};

/// Options sorted by name.
using OptionValues = std::vector<NamedOption>;

/// The value of that name; std::monostate when there is none.
const OptionValue& option_in(const OptionValues& options, std::string_view name);
/// Sets the value of that name, whether or not there was one.
void set_option(OptionValues& options, const std::string& name, OptionValue value);

/// As on the command line: 400, 0.05, a,b,c; empty for an option without a value.
std::string text_of(const OptionValue& value);
/// The texts of a list, or that of a single value; none for an option without a value.
std::vector<std::string> words_of(const OptionValue& value);
/// For messages: "half", 3, true, ["a","b"]; null where there is none.
std::string in_words(const OptionValue& value);

MPIAUDIT_MEMBERS(NamedOption, (name, value))

}  // namespace mpiaudit
