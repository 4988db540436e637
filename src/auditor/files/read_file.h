// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

/// The text of a file that a user has written, a pipe included; a mark of the byte order at its
/// start, as some editors write it, is left out. Throws UsageError that names the file when it
/// cannot be read, is larger than 256 MiB or not UTF-8: "FILE:LINE: byte 7 is 0xe9, ...".
std::string read_file(const std::string& path);

/// \param error as errno
/// \throws std::runtime_error "PATH: cannot be written (...)"
[[noreturn]] void refuse_to_write(const std::string& path, int error);

/// Whether the opened file is the one that is found at the path now, and not followed there by a
/// link.
bool is_still_at(int descriptor, const std::string& path);

}  // namespace mpiaudit
