// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

/// A word as a shell needs it.
std::string shell_word(const std::string& word);

}  // namespace mpiaudit
