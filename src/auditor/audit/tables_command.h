// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// The lines that say how to see the tables of the audits in `folders`, judged together: a command
/// for a shell, no longer than `columns` where its words allow that. The confirmations that
/// jobs/local has put into the folder of an audit become one word.
std::string tables_command(const record::Header& header, const std::vector<std::string>& folders,
                           int columns);

}  // namespace mpiaudit
