// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/option_value.h"
#include "options/options.h"

namespace mpiaudit {

// All functions of this file are loops over the table of options.

/// Returns the options that decide which problems are measured, and how. Sessions with equal values
/// belong to one launch.
OptionValues audit_options(const RunOptions& run);
/// Returns all recorded options but the seed of the order: the caller records the seed that it has
/// drawn.
OptionValues all_options(const RunOptions& run);

/// Returns whether the option may differ between launches of an audit and its confirmations.
bool may_differ_between_launches(const std::string& name);

/// Copies the recorded options that belong to an audit into `run`, and marks them as given. Options
/// that an older audit lacks keep their values. Throws UsageError for an invalid value, and for an
/// unknown name whose value is not the one in `defaults`, those of the version that recorded them.
void take_audit_options(RunOptions& run, const OptionValues& recorded,
                        const OptionValues& defaults = {});

/// Throws UsageError if `run`, which confirms an audit with these recorded options, differs from
/// the audit in an option that acts before MPI_Init.
void require_same_before_mpi(const RunOptions& run, const OptionValues& recorded);

/// Returns unquoted words of a command line that repeat the audit.
std::vector<std::string> audit_arguments(const OptionValues& recorded,
                                         const OptionValues& defaults);

/// Returns unquoted words of a command line that repeat the recorded options which are not defaults
/// of the audit. Leaves out options about guidelines and problems, for which the caller names one
/// guideline and one problem.
std::vector<std::string> reproduced_arguments(const OptionValues& recorded,
                                              const OptionValues& defaults);

/// A measuring and judging protocol, as used in a paper: the options that --protocol sets unless
/// they are given.
struct NamedProtocol {
    const char* name;
    OptionValues (*options)();
};
/// Returns the measuring protocols of the papers whose tables and figures the project has, by year.
std::span<const NamedProtocol> paper_protocols();

/// Returns the valid values of --protocol: "none", and the names of the protocols.
std::vector<std::string> protocol_names();

/// Sets the options of --protocol that the command line does not give, and marks them as given.
void settle_protocol(RunOptions& run);

}  // namespace mpiaudit
