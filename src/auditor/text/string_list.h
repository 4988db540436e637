// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

// Texts as one text, which a rank can send to others: each with its length before it, so that any
// text may stand in the list, other packed lists included. A struct is sent as the list of its
// members.

std::string packed(const std::vector<std::string>& texts);

/// The texts of packed(). Throws std::invalid_argument for anything else.
std::vector<std::string> unpacked(std::string_view text);

}  // namespace mpiaudit
