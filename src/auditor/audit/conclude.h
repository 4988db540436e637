// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "audit/confirmation.h"
#include "options/options.h"
#include "record/audit_record.h"
#include "record/session.h"
#include "report/gate.h"
#include "report/report.h"

namespace mpiaudit {

/// Writes report.json, prints tables and conclusions, and returns the exit code of the audit. On
/// rank 0. \param suspicions those of a confirmation, else null
/// \param signal that ended the audit early, or 0
int conclude(const Session& session, const RunOptions& options, const Suspicions* suspicions,
             const judge::Rule& rule, int signal);

/// Writes report.json of what a folder has, from the files alone: the audit itself has stopped.
/// Returns what to say of it, or why it cannot be.
std::string report_what_is_kept(const std::string& folder);

/// The command that goes on with an audit: that of its first session with --resume.
std::string resume_command(const record::Header& header, const std::string& folder);

/// Throws UsageError where --baseline cannot be read or a file of a format not be written: before
/// hours are spent on measuring.
void check_gate(const GateOptions& options);

/// Writes the files of the formats, says what the gate excuses, and returns the exit code that the
/// report asks for. Throws UsageError where that is not possible.
int end_with(const Report& report, const GateOptions& options);

}  // namespace mpiaudit
