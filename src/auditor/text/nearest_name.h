// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// The same member of each row of a table, or of each element of a list.
std::vector<std::string> names_of(const auto& rows, auto member) {
    std::vector<std::string> names;
    for (const auto& each : rows) names.emplace_back(std::invoke(member, each));
    return names;
}

/// The first of which this member is the value; null where there is none.
auto* find_in(auto& list, const auto& value, auto member) {
    const auto found = std::ranges::find(list, value, member);
    return found == std::ranges::end(list) ? nullptr : &*found;
}

bool is_among(const auto& list, const auto& value) {
    return std::ranges::find(list, value) != std::ranges::end(list);
}

/// What to tell a user who gave a name that does not exist:
///     unknown distribution 'spike'; did you mean 'spikes'? Valid: alternating, decreasing, ...
/// The valid names are sorted; the suggestion is left out when no name is close.
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& valid);

/// The valid name that is close to this one; empty when none is.
std::string nearest_name(std::string_view name, std::vector<std::string> valid);

}  // namespace mpiaudit
