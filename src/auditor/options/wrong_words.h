// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mpiaudit {

/// The options and the values of a command, as far as they have names.
struct CommandWords {
    std::string command;
    std::vector<std::string> options;  ///< with dashes
};

/// What is wrong with the words of a command line, before their values are looked at: an option
/// that does not exist, or one with a "=" and nothing behind it. Nothing when all is well.
std::optional<std::string> wrong_option(const CommandWords& known,
                                        const std::vector<std::string>& words);

}  // namespace mpiaudit
