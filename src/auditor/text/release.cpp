// SPDX-License-Identifier: BSD-3-Clause
#include "text/release.h"

#include <algorithm>
#include <cstdio>

namespace mpiaudit {

std::optional<Release> release_of(const std::string& text) {
    // The final release has the stage after these.
    constexpr std::array<std::string_view, 3> stages = {"a", "b", "rc"};
    Release release{0, 0, 0, static_cast<int>(stages.size()), 0};
    int read = 0;
    if (std::sscanf(text.c_str(), "%d.%d%n", &release[0], &release[1], &read) < 2)
        return std::nullopt;
    const char* rest = text.c_str() + read;
    if (std::sscanf(rest, ".%d%n", &release[2], &read) == 1) rest += read;
    std::array<char, 3> stage{};
    if (std::sscanf(rest, "%2[a-z]%d", stage.data(), &release[4]) == 2)
        release[3] = static_cast<int>(std::ranges::find(stages, std::string_view(stage.data())) -
                                      stages.begin());
    return release;
}

std::optional<Release> release_of_library(std::string_view name, std::string_view vendor) {
    if (!name.starts_with(vendor)) return std::nullopt;
    name.remove_prefix(vendor.size());
    if (!name.starts_with(' ')) return std::nullopt;
    name.remove_prefix(1);
    if (name.starts_with('v')) name.remove_prefix(1);
    return release_of(std::string(name));
}

bool is_release_up_to(std::string_view name, std::string_view vendor,
                      const std::vector<const char*>& last) {
    const auto release = release_of_library(name, vendor);
    return release && std::ranges::any_of(last, [&](const char* each) {
               const auto last_of_series = release_of(each);
               return last_of_series->front() == release->front() && *release <= *last_of_series;
           });
}

}  // namespace mpiaudit
