// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mpiaudit {

std::string_view version();  ///< of mpiaudit: "0.2.0"
/// Returns the output of `git describe` for the sources when the build was configured, or
/// "unknown".
std::string_view commit();
/// Returns the folder of the shipped files, unless the program is installed: the source folder. In
/// a binary archive the folder is relative to the folder of the program's file.
std::string_view shipped_files();
/// Returns the install folder of the preloaded libraries, relative to the folder of the program.
std::string_view preload_folder();
/// Returns whether the program belongs to a binary archive, which has a program for each binary
/// interface of MPI.
bool is_of_binary_archive();
/// Returns the binary interface of a program of a binary archive, and why the archive's command has
/// chosen the program: "mpich, by LD_LIBRARY_PATH"; empty for other programs.
std::string program_of_archive();
/// Returns the file that starts this program: the command of a binary archive, which chooses the
/// program for the MPI library; else the program's own file.
std::filesystem::path program_to_start();

}  // namespace mpiaudit
