// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "application/launched_rank.h"
#include "commands/loop_commands.h"
#include "commands/preloaded_application.h"

namespace mpiaudit {

int record_application(const RecordOptions& options) {
    const std::string output = application::recording_in(options.output);
    try {
        std::error_code failure;
        if (!options.overwrite && std::filesystem::exists(output, failure))
            throw UsageError(fmt::format(
                "--output: {} is there already; give --overwrite to replace it", output));
        if (const auto folder = std::filesystem::path(output).parent_path(); !folder.empty())
            std::filesystem::create_directories(folder, failure);
        preload("record", "libmpiaudit-record.so", options.application);
    } catch (const UsageError& error) {
        return refuse_on_all_ranks(error.what());
    }
    setenv(application::output_variable, output.c_str(), 1);
    setenv(application::problems_variable, std::to_string(options.problems).c_str(), 1);
    setenv(application::synchronise_variable, options.synchronise ? "1" : "0", 1);
    setenv(application::process_variable, std::to_string(getpid()).c_str(), 1);
    return become("record", options.application);
}

}  // namespace mpiaudit
