// SPDX-License-Identifier: BSD-3-Clause
#include "audit/read_launches.h"

#include <fmt/format.h>

#include <filesystem>

#include "record/samples_file.h"
#include "text/console.h"

namespace mpiaudit {

std::vector<std::string> with_confirmations(const std::string& folder) {
    std::vector<std::string> folders = {folder};
    const auto add = [&](const std::string& name) {
        const std::filesystem::path path = std::filesystem::path(folder) / name;
        std::error_code failure;
        if (!std::filesystem::exists(path / "samples.jsonl", failure)) return false;
        folders.push_back(path.string());
        return true;
    };
    add("confirmation");
    for (int number = 1; add(fmt::format("confirmation-{}", number)); ++number) continue;
    return folders;
}

std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders) {
    std::vector<NamedAudit> launches;
    for (const std::string& folder : folders) {
        SamplesFile samples = read_results(folder);
        if (samples.is_truncated)
            remark(
                "warning: the last line of {}/samples.jsonl is incomplete and "
                "left out",
                folder);
        launches.push_back({folder, std::move(samples.audit)});
    }
    return launches;
}

}  // namespace mpiaudit
