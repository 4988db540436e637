// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace mpiaudit {

std::string_view version();  ///< of mpiaudit, as "0.1.0"
/// What `git describe` said of the sources when they were configured, or "unknown".
std::string_view commit();
/// The folder of the sources, where the shipped files are unless the program is installed.
std::string_view source_folder();
/// Where the libraries that are loaded before MPI are once they are installed, from the folder of
/// the program.
std::string_view preload_folder();

}  // namespace mpiaudit
