// SPDX-License-Identifier: BSD-3-Clause
#include "files/shipped_files.h"

#include <algorithm>

#include "text/version.h"

namespace mpiaudit {

std::filesystem::path shipped_folder(const std::string& kind) {
    std::error_code failure;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
    const auto installed = program.parent_path().parent_path() / "share" / "mpiaudit" / kind;
    if (!failure && std::filesystem::is_directory(installed, failure)) return installed;
    return program.parent_path() / shipped_files() / kind;
}

std::vector<std::string> shipped_names(const std::string& kind) {
    std::vector<std::string> names;
    std::error_code failure;
    for (const auto& file : std::filesystem::directory_iterator(shipped_folder(kind), failure)) {
        if (file.path().extension() == ".json" && file.path().stem() != known_faults_name)
            names.push_back(file.path().stem());
    }
    std::ranges::sort(names);
    return names;
}

std::string shipped_file(const std::string& kind, const std::string& name) {
    return shipped_folder(kind) / (name + ".json");
}

}  // namespace mpiaudit
