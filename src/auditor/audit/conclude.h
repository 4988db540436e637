// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "options/options.h"
#include "record/session.h"

namespace mpiaudit {

/// Writes report.json, prints tables and conclusions, and returns the exit code of the audit. On
/// rank 0. \param signal that ended the audit early, or 0
int conclude(const Session& session, const RunOptions& options, const judge::Rule& rule,
             int signal);

/// Writes report.json of what a folder has, from the files alone: the audit itself has stopped.
/// Returns what to say of it, or why it cannot be.
std::string report_what_is_kept(const std::string& folder);

}  // namespace mpiaudit
