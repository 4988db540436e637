// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "commands.h"

#include <gmock/gmock.h>

#include "options/option_table.h"

namespace mpiaudit {

inline Command parsed_run(std::vector<std::string> words) {
    words.insert(words.begin(), {"mpiaudit", "run"});
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    return parse_command(static_cast<int>(arguments.size()), arguments.data(), commands());
}

inline RunOptions run_with(const std::vector<std::string>& words) {
    const Command command = parsed_run(words);
    EXPECT_EQ(command.error, "") << testing::PrintToString(words);
    return command.run;
}

}  // namespace mpiaudit
