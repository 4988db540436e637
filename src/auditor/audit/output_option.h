// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace mpiaudit {

/// Before the work, so that nothing is printed that looks like success: whether the file that an
/// option names can be written. Nothing to check where the name is empty.
/// \param option as on the command line: "--junit"
/// \throws UsageError when it cannot, or holds the samples of an audit, which would be lost
void check_output(const std::string& option, const std::string& path);

/// Calls what writes such a file.
/// \throws UsageError that names the option, when it throws std::runtime_error
void write_output(const std::string& option, const std::function<void()>& write);

}  // namespace mpiaudit
