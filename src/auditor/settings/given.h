// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/in_effect.h"
#include "text/plain.h"

namespace mpiaudit::settings {

inline constexpr const char* of_environment = "environment";

/// A setting as somebody has written it.
struct Given {
    std::string name;     ///< as the library names the variable
    std::string written;  ///< with the prefix of the environment
    std::string value, origin;
    std::string text() const { return fmt::format("{}={}", written, value); }
    std::string from() const {
        return origin == of_environment ? "" : fmt::format(" ({})", plain_line(origin));
    }
};

/// Returns the files of a variable with a list of names.
std::vector<std::string> files_of(const Library& library, const std::string& variable);
/// Returns all settings of this library; of several with one name, the first one counts.
std::vector<Given> given_settings(const Library& library, const ReadFile& read);
/// Returns a number with Open MPI's and MPICH's suffixes for powers of 1024.
std::optional<std::int64_t> number_in(const std::string& text);
std::optional<bool> boolean_in(const std::string& given);
/// Returns whether the library has the value; nullopt if the two cannot be compared.
std::optional<bool> has_value(const ControlVariable& variable, const std::string& value,
                              const Library& library);
/// Returns whether a list of components, such as "self,tcp" or "^vader", has the component.
bool has_component(const std::string& list, const std::string& component);

}  // namespace mpiaudit::settings
