// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

namespace mpiaudit {

struct LocalOptions {
    std::string launcher = "mpirun";  ///< with options of its own
    int ranks = 0;                    ///< 0: the usable cores, at least 2
    int confirmations = 6;
    std::string output;
    Words audit;  ///< options of `run`
};

std::vector<BoundOption> local_options(Command& command);

}  // namespace mpiaudit
