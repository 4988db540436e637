// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>

#include "report/report.h"

namespace mpiaudit {

/// The C program with its @WORDS@ replaced, without the lines for what the calls of both sides do
/// not name.
std::string program_text(const std::map<std::string, std::string>& words);

/// A C program of its own that needs nothing but MPI: it checks the results of both sides of the
/// check, measures them in pairs and prints the ratio of their times with an interval. Its comment
/// says what was found, with which library and settings, and how to start it. Where the right side
/// is no path of MPI calls, the fastest way that is takes its place.
/// \param launches from which the report was made
/// Throws std::invalid_argument where no program of MPI calls can be written, with the reason.
std::string reproducer(const Report& report, const JudgedCheck& check,
                       std::span<const record::Audit> launches);

}  // namespace mpiaudit
