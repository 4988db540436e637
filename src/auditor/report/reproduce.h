// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "record/audit_record.h"

namespace mpiaudit {

/// The command that measures one check of an audit again.
std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem);

/// What starts an audit like this one, as far as `PROGRAM run`: settings of the MPI library and the
/// launcher. \param other_launcher instead of the one on record; empty: that one
std::string start_of_audit(const record::Header& header, const std::string& program,
                           const std::string& other_launcher);

/// What verifies again a contestant that is wrong.
std::string verify_command(const record::Header& header,
                           const record::ContestantDescription& contestant,
                           const record::ProblemDescription& problem);

}  // namespace mpiaudit
