// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace mpiaudit {

/// The value of a text as the JSON library would parse the text, in a third of the time: samples
/// are numbers, and that library asks the locale about each. Nothing where the text is malformed,
/// is nested more than 64 deep, or has strings with escapes or other characters than ASCII: ask the
/// library then.
std::optional<nlohmann::json> fast_parsed_json(std::string_view text);

}  // namespace mpiaudit
