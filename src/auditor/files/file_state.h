// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

/// \param error as errno
/// \throws std::runtime_error "PATH: cannot be written (...)"
[[noreturn]] void refuse_to_write(const std::string& path, int error);

/// Whether the opened file is the one that is found at the path now, and not followed there by a
/// link.
bool is_still_at(int descriptor, const std::string& path);

}  // namespace mpiaudit
