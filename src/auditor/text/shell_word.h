// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace mpiaudit {

/// A word as a shell needs it.
std::string shell_word(const std::string& word);

/// A command with a value wherever it has a name. \param name as it is written: {ranks}
std::string with_value(std::string command, std::string_view name, const std::string& value);

}  // namespace mpiaudit
