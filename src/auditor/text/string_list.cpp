// SPDX-License-Identifier: BSD-3-Clause
#include "text/string_list.h"

#include <charconv>
#include <stdexcept>

namespace mpiaudit {

std::string packed(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& each : texts) all += std::to_string(each.size()) + ':' + each;
    return all;
}

std::vector<std::string> unpacked(std::string_view text) {
    std::vector<std::string> texts;
    while (!text.empty()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        const auto digits = static_cast<std::size_t>(end - text.data());
        if (error != std::errc{} || digits == text.size() || *end != ':' ||
            length > text.size() - digits - 1)
            throw std::invalid_argument("not a packed list of texts");
        texts.emplace_back(text.substr(digits + 1, length));
        text.remove_prefix(digits + 1 + length);
    }
    return texts;
}

}  // namespace mpiaudit
