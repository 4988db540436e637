// SPDX-License-Identifier: BSD-3-Clause
#include "audit/resume_command.h"

#include <fmt/format.h>

#include "text/plain.h"

namespace mpiaudit {

std::string resume_command(const record::Header& header, const std::string& folder) {
    std::string command;
    if (header.simulation)
        command = header.simulation->start + " --";
    else if (header.job.launcher)
        command = *header.job.launcher;
    else
        command = fmt::format("mpirun -n {}", header.machine.ranks);
    bool is_value_of_output = false;
    for (std::size_t i = header.simulation ? 1 : 0; i < header.command.size(); ++i) {
        const std::string& word = header.command[i];
        const bool is_left_out = is_value_of_output || word == "--overwrite" ||
                                 word == "--resume" || word == "--output" ||
                                 word.starts_with("--output=");
        is_value_of_output = word == "--output";
        if (!is_left_out) command += ' ' + shell_word(word);
    }
    return fmt::format("{} --output {} --resume", command, shell_word(folder));
}

}  // namespace mpiaudit
