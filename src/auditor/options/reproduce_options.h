// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

namespace mpiaudit {

struct ReproduceOptions {
    std::vector<std::string> results;
    std::string call;        ///< a generated call, as `verify` prints it
    std::string output;      ///< file of the program; empty: the program is printed
    std::string check;       ///< GUIDELINE@PROBLEM; empty: the first row of the first screen
    std::optional<int> row;  ///< of the first screen, counted from 1
};

std::vector<BoundOption> reproduce_options(Command& command);

}  // namespace mpiaudit
