// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace mpiaudit {

std::string_view version();  ///< of mpiaudit: "0.1.0"
/// Returns the output of `git describe` for the sources when the build was configured, or
/// "unknown".
std::string_view commit();
/// Returns the source folder. The shipped files are there unless the program is installed.
std::string_view source_folder();
/// Returns the install folder of the preloaded libraries, relative to the folder of the program.
std::string_view preload_folder();

}  // namespace mpiaudit
