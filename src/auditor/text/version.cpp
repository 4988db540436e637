// SPDX-License-Identifier: BSD-3-Clause
// Facts about the build, which CMake defines. The commit changes often, so this file contains
// nothing else.
#include "text/version.h"

#include <cstdlib>

#ifndef MPIAUDIT_VERSION
#error "the build defines the version"
#endif

namespace mpiaudit {

std::string_view version() {
    return MPIAUDIT_VERSION;
}

std::string_view commit() {
    return MPIAUDIT_COMMIT;
}

std::string_view shipped_files() {
    return MPIAUDIT_SHIPPED_FILES;
}

std::string_view preload_folder() {
    return MPIAUDIT_PRELOAD_FOLDER;
}

bool is_of_binary_archive() {
    return !std::string_view(MPIAUDIT_INTERFACE).empty();
}

std::string program_of_archive() {
    const char* const choice = std::getenv("MPIAUDIT_CHOICE");
    return is_of_binary_archive() && choice != nullptr ? choice : MPIAUDIT_INTERFACE;
}

std::filesystem::path program_to_start() {
    std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
    if (!is_of_binary_archive()) return own;
    const auto command = own.parent_path() / shipped_files() / "bin" / "mpiaudit";
    return exists(command) ? canonical(command) : own;
}

}  // namespace mpiaudit
