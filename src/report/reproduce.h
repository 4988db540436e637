// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "record/audit_record.h"

namespace mpiaudit {

/// The command that measures one check of an audit again.
std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem);

}  // namespace mpiaudit
