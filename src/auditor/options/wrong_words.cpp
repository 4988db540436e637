// SPDX-License-Identifier: BSD-3-Clause
#include "options/wrong_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/nearest_name.h"

namespace mpiaudit {

std::optional<std::string> wrong_option(const CommandWords& known,
                                        const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") break;
        if (!word.starts_with("--")) continue;
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (std::ranges::find(known.options, name) == known.options.end()) {
            const std::string nearest = nearest_name(name, known.options);
            return fmt::format("unknown option {}{}", name,
                               nearest.empty() ? "" : "; did you mean " + nearest + "?");
        }
        if (equals + 1 == word.size())
            return fmt::format("{} has no value behind the =; write {}=VALUE or {} VALUE", name,
                               name, name);
    }
    return std::nullopt;
}

}  // namespace mpiaudit
