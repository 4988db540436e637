// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

namespace mpiaudit {

struct ReproduceOptions {
    std::vector<std::string> results;
    std::string call;    ///< a generated call, as `verify` prints it
    std::string output;  ///< file of the program; empty: the program is printed
    std::string check;   ///< GUIDELINE@PROBLEM; empty: the first row of the first screen
    std::string row;     ///< code of a row of the first screen: S1
};

struct ExplainOptions {
    std::vector<std::string> words;  ///< folders of launches, and the code of a row
    std::string settings_of;         ///< as JudgeOptions::settings_of
    When color = When::automatic;
};

std::vector<BoundOption> reproduce_options(Command& command);
std::vector<BoundOption> explain_options(Command& command);

}  // namespace mpiaudit
