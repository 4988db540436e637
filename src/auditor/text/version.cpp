// SPDX-License-Identifier: BSD-3-Clause
// Facts about the build, which CMake defines. The commit changes often, so this file contains
// nothing else.
#include "text/version.h"

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

std::string_view source_folder() {
    return MPIAUDIT_SOURCE_DIR;
}

std::string_view preload_folder() {
    return MPIAUDIT_PRELOAD_FOLDER;
}

}  // namespace mpiaudit
