// SPDX-License-Identifier: BSD-3-Clause
#include "record/scale_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>

#include "record/samples_file.h"

namespace mpiaudit {
namespace {

/// Returns the scale that folder_name() gives this name; nullopt for other names.
std::optional<AuditScale> scale_named(const std::string& name) {
    for (const char* const unit : {"ranks", "nodes"}) {
        const std::string start = std::string(unit) + "-";
        if (!name.starts_with(start)) continue;
        AuditScale scale{unit, 0};
        const char* const end = name.data() + name.size();
        const auto read = std::from_chars(name.data() + start.size(), end, scale.number);
        if (read.ec == std::errc() && read.ptr == end && scale.number > 0) return scale;
    }
    return std::nullopt;
}

}  // namespace

std::string AuditScale::folder_name() const {
    return fmt::format("{}-{}", unit, number);
}

std::string AuditScale::in_words() const {
    return fmt::format("{} {}", number, number == 1 ? unit.substr(0, unit.size() - 1) : unit);
}

std::vector<AuditScale> scales_in(const std::string& folder) {
    std::vector<AuditScale> scales;
    if (has_samples(folder)) return scales;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
        const auto scale = scale_named(entry.path().filename().string());
        if (scale && has_samples(entry.path())) scales.push_back(*scale);
    }
    std::ranges::sort(scales, {},
                      [](const AuditScale& each) { return std::tie(each.unit, each.number); });
    return scales;
}

std::string folder_of(const std::string& folder, const AuditScale& scale) {
    return std::filesystem::path(folder) / scale.folder_name();
}

}  // namespace mpiaudit
