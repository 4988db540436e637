// SPDX-License-Identifier: BSD-3-Clause
#include "text/nearest_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace mpiaudit {
namespace {

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& character : result) {
        if (character >= 'A' && character <= 'Z') character += 'a' - 'A';
    }
    return result;
}

/// Levenshtein's distance: insertions, deletions and replacements that turn one name into the
/// other. Letter case is free, since nobody remembers that of MPI_Gatherv.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    const std::string source = lower_case(from);
    const std::string target = lower_case(to);
    std::vector<std::size_t> row(target.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t k = 0; k < source.size(); ++k) {
        std::size_t diagonal = row[0];
        row[0] = k + 1;
        for (std::size_t j = 0; j < target.size(); ++j) {
            const std::size_t replaced = diagonal + (source[k] == target[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// Of more names the nearest are listed, and how many more there are.
constexpr std::size_t most_listed = 60;

/// Close: at most a third of the letters differ (one, in a name of two to five letters).
std::size_t largest_close_distance(std::string_view name) {
    if (name.size() < 2) return 0;
    return std::max<std::size_t>(1, name.size() / 3);
}

}  // namespace

std::string nearest_name(std::string_view name, std::vector<std::string> valid) {
    std::sort(valid.begin(), valid.end());
    const auto nearest = std::min_element(
        valid.begin(), valid.end(), [name](const std::string& one, const std::string& other) {
            return edit_distance(name, one) < edit_distance(name, other);
        });
    const bool is_close =
        nearest != valid.end() && edit_distance(name, *nearest) <= largest_close_distance(name);
    return is_close ? *nearest : "";
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& valid) {
    std::vector<std::string> sorted = valid;
    std::sort(sorted.begin(), sorted.end());
    std::string message = fmt::format("unknown {} '{}'", kind, name);
    const std::string nearest = nearest_name(name, sorted);
    message += nearest.empty() ? "; valid: " : "; did you mean '" + nearest + "'? Valid: ";
    if (sorted.empty()) return message + "none";
    const std::size_t all = sorted.size();
    if (all > most_listed) {
        std::ranges::stable_sort(
            sorted, {}, [name](const std::string& each) { return edit_distance(name, each); });
        sorted.resize(most_listed / 2);
        std::ranges::sort(sorted);
    }
    message += fmt::format("{}", fmt::join(sorted, ", "));
    return message + (all > sorted.size() ? fmt::format(" and {} more", all - sorted.size()) : "");
}

}  // namespace mpiaudit
