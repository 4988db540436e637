// SPDX-License-Identifier: BSD-3-Clause
#include "record/options_json.h"

#include <nlohmann/json.hpp>

namespace mpiaudit {
namespace {

using nlohmann::json;

OptionValue as_option(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::uint64_t>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) return value.get<std::vector<std::string>>();
    return {};
}

}  // namespace

json as_json(const OptionValues& options) {
    json all = json::object();
    for (const auto& [name, value] : options) {
        std::visit(
            [&](const auto& each) {
                if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::monostate>)
                    all[name] = nullptr;
                else
                    all[name] = each;
            },
            value);
    }
    return all;
}

OptionValues as_options(const json& recorded) {
    OptionValues options;
    for (const auto& [name, value] : recorded.items()) set_option(options, name, as_option(value));
    return options;
}

}  // namespace mpiaudit
