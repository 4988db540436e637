// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "options/options.h"
#include "record/session.h"

namespace mpiaudit {

/// Writes report.json, prints tables and conclusions, and returns the exit code of the audit. On
/// rank 0. \param signal that ended the audit early, or 0
int conclude(const Session& session, const RunOptions& options, const judge::Rule& rule,
             int signal);

}  // namespace mpiaudit
