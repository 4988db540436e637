// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit::simulation {

/// Simulator, platform and every setting.
struct Description {
    std::string simulator, platform, platform_parameters, start;
    std::vector<std::string> settings;
    bool operator==(const Description&) const = default;
};

}  // namespace mpiaudit::simulation
