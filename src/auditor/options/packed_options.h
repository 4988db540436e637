// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "options/option_value.h"

namespace mpiaudit {

// Options as one text, which a rank can send to others (see text/string_list.h).

std::string packed(const OptionValues& options);

/// The options of packed(). Throws std::invalid_argument for anything else.
OptionValues unpacked_options(std::string_view text);

}  // namespace mpiaudit
