// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

namespace mpiaudit {

/// The C program with its @WORDS@ replaced, without the lines for what the calls of both sides do
/// not name.
std::string program_text(const std::map<std::string, std::string>& words);

}  // namespace mpiaudit
