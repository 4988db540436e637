// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "record/audit_record.h"

namespace mpiaudit {

/// The command that goes on with an audit: that of its first session with --resume.
std::string resume_command(const record::Header& header, const std::string& folder);

}  // namespace mpiaudit
