// SPDX-License-Identifier: BSD-3-Clause
#include "files/file_state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>
#include <stdexcept>

namespace mpiaudit {

void refuse_to_write(const std::string& path, int error) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({})", path, std::strerror(error)));
}

bool is_still_at(int descriptor, const std::string& path) {
    struct stat opened {
    }, found{};
    return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &found) == 0 &&
           opened.st_dev == found.st_dev && opened.st_ino == found.st_ino;
}

}  // namespace mpiaudit
