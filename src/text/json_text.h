// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mpiaudit {

/// Parses JSON; throws std::invalid_argument "ORIGIN:LINE:COLUMN: what is wrong" when it is
/// malformed. The origin is the file's name.
nlohmann::json parse_json(const std::string& text, const std::string& origin);

/// Throws std::invalid_argument, with the nearest valid key, when the object has any other key.
void check_keys(const nlohmann::json& object, const std::vector<std::string>& valid,
                const std::string& origin);

}  // namespace mpiaudit
