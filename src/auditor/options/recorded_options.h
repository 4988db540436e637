// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/option_value.h"
#include "options/options.h"

namespace mpiaudit {

// All of these are loops over the table of options.

/// What decides which problems are measured and how. Two sessions with equal values belong to one
/// launch.
OptionValues audit_options(const RunOptions& run);
/// All that are recorded. The seed of the order is not among them: what is recorded is the one that
/// was drawn, which the caller knows.
OptionValues all_options(const RunOptions& run);

/// Whether an option may have other values in other launches of an audit and in its confirmations.
bool may_differ_between_launches(const std::string& name);

/// Takes over what belongs to an audit from its recorded options; these count as given. What an
/// audit of an earlier version lacks stays. Throws UsageError for a name that is unknown and for a
/// value that the option cannot have.
void take_audit_options(RunOptions& run, const OptionValues& recorded);

/// Throws UsageError when `run`, which confirms an audit with these recorded options, differs from
/// it in one that acts before anything can be taken over.
void require_same_before_mpi(const RunOptions& run, const OptionValues& recorded);

/// Words of a command line, not quoted for any shell, that make the same audit again.
std::vector<std::string> audit_arguments(const OptionValues& recorded,
                                         const OptionValues& defaults);

/// Words of a command line, not quoted for any shell, that give the recorded options again where
/// they are not the defaults of that audit; but for those that name guidelines and problems, where
/// the caller has one of each.
std::vector<std::string> reproduced_arguments(const OptionValues& recorded,
                                              const OptionValues& defaults);

/// How somebody has measured and judged: what --protocol sets where nothing else is given.
struct NamedProtocol {
    const char* name;
    OptionValues (*options)();
};
/// Of another product than the auditor, which has none.
void join_protocols(std::span<const NamedProtocol> protocols);

/// The names that --protocol takes: "none", and those that have joined.
std::vector<std::string> protocol_names();

/// Sets what --protocol means, where the command line says nothing else; these count as given.
void settle_protocol(RunOptions& run);

}  // namespace mpiaudit
