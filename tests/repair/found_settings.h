// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "repair/repair.h"

#include "repair/slow_library.h"

namespace mpiaudit::repair {

/// A vector of this many integers.
inline SlowLibrary::Size vector_of(const std::string& collective, std::int64_t elements) {
    return {.collective = collective, .counts = {elements, 0, 0, 0}};
}

inline auto settings_of(const Report& report, const Wishes& wishes = {}) {
    return find_repairs(report, wishes).settings;
}

inline std::string obstacles_of(const Report& report) {
    std::string text;
    for (const Obstacle& each : find_repairs(report, {}).obstacles)
        text += each.what + ": " + each.why + "\n";
    return text;
}

inline Setting in_file(SelectionFile file, const std::string& collective, int ranks,
                       std::vector<SelectedAlgorithm> selected) {
    return {
        .collective = collective, .ranks = ranks, .file = file, .selected = std::move(selected)};
}

}  // namespace mpiaudit::repair
