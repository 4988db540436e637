// SPDX-License-Identifier: BSD-3-Clause
// reason_of_crash() of in_effect.h.
#include <fmt/format.h>

#include <stdexcept>

#include "settings/in_effect.h"
#include "settings/selection_tree.h"
#include "text/plain.h"

namespace mpiaudit::settings {

std::optional<std::string> reason_of_crash(const std::string& file, const ReadFile& read) {
    const std::optional<std::string> text = read(file);
    if (!text) return "the file cannot be read";
    try {
        const std::vector<std::string> named = SelectionTree(*text).collectives();
        const std::optional<std::string> own = own_selection();
        if (!own) return std::nullopt;
        std::vector<std::string> missing;
        for (const std::string& each : SelectionTree(*own).collectives())
            if (!is_among(named, each)) missing.push_back(each);
        if (missing.empty()) return std::nullopt;
        return fmt::format(
            "it lacks {} of the library's collectives, such as {}; a file replaces the whole "
            "choice, and MPICH ends a program that calls a collective without a branch",
            missing.size(), missing.front());
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

}  // namespace mpiaudit::settings
