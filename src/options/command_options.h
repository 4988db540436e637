// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "options/options.h"

namespace mpiaudit {

// Options that several commands have.
CLI::Option* add_when(CLI::App& app, const char* name, When& value, const char* help);
void add_verdict_options(CLI::App& app, std::string& criterion, std::optional<double>& tolerance);
void add_fail_on(CLI::App& app, std::string& fail_on);
CLI::Option* add_length(CLI::App& app, int& length);

/// The options of `mpiaudit run`; and those of them that say which problems, for other commands.
void add_run(CLI::App& app, RunOptions& run);
void add_problem_options(CLI::App& app, RunOptions& run);

}  // namespace mpiaudit
