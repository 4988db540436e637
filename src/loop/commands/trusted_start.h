// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "repeat/commands.h"
#include "report/report.h"
#include "text/command.h"

/// Limits what `repair` starts because a results folder names it. People send such folders to each
/// other, so a folder may name no program, and no file that a program would load.
namespace mpiaudit::trusted_start {

/// Returns whether the words are a launcher of MPI, as the PATH finds it, with options that only
/// count and place ranks.
bool is_plain_launcher(const CommandLine& command);

/// Returns whether a variable steers the collectives or the transport of an MPI library by a name
/// or a number.
bool is_plain_setting(const std::string& name, const std::string& value);

/// Returns the launcher of an audit. Throws UsageError, with --launcher as the remedy, if the
/// launcher is not plain, or if another user owns one of the folders.
/// \param folders that the report was made from
CommandLine launcher(const Report& report, const std::vector<std::string>& folders);

/// Returns the words that the user gave for an option. Throws UsageError when a quote is not
/// closed.
CommandLine words_of_option(const std::string& option, const std::string& text);

/// Returns the variables that steered the MPI library in the audit and are set differently here.
/// Throws UsageError for a variable that is not plain.
Variables settings(const Report& report);

/// Throws UsageError unless the value of --setting, NAME=VALUE, is plain or set here alike.
void require_plain_setting(const std::string& setting);

}  // namespace mpiaudit::trusted_start
