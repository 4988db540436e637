// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace mpiaudit::judge {

/// The names of a type's values, as options, reports and tables have them: each stands here once.
template <class Value, std::size_t N>
struct Names {
    std::array<std::pair<Value, std::string_view>, N> entries;

    constexpr std::string_view operator[](Value value) const {
        return std::ranges::find(entries, value, &std::pair<Value, std::string_view>::first)
            ->second;
    }
    constexpr std::optional<Value> find(std::string_view name) const {
        const auto* found =
            std::ranges::find(entries, name, &std::pair<Value, std::string_view>::second);
        if (found == entries.end()) return std::nullopt;
        return found->first;
    }
    constexpr std::array<std::string_view, N> all() const {
        std::array<std::string_view, N> names;
        std::ranges::transform(entries, names.begin(), [](auto& entry) { return entry.second; });
        return names;
    }
};

template <class Value, std::size_t N>
Names(std::array<std::pair<Value, std::string_view>, N>) -> Names<Value, N>;

}  // namespace mpiaudit::judge
