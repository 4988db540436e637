// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mpiaudit {

/// A report of two distributions and three contestants: on same/b=10 the guideline g1 is violated
/// by A, on two-blocks/b=1000 A does not apply and C is wrong.
nlohmann::json small_report();

std::vector<std::string> lines_of(const std::string& text);

/// The text without the escape sequences that colour it.
std::string without_colour(const std::string& text);

}  // namespace mpiaudit
