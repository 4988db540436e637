// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "report/report.h"

namespace mpiaudit {

/// A C program of its own that needs nothing but MPI: it checks the results of both sides of the
/// check, measures them in pairs and prints the ratio of their times with an interval. Its comment
/// says what was found, with which library and settings, and how to start it. Where the right side
/// is no path of MPI calls, the fastest way that is takes its place.
/// \param launches from which the report was made
/// Throws std::invalid_argument where no program of MPI calls can be written, with the reason.
std::string reproducer(const Report& report, const JudgedCheck& check,
                       std::span<const record::Audit> launches);

/// The same of a form of an operation that is wrong, hangs or crashes, beside the operation itself.
std::string reproducer_of_wrong(const Report& report, const ReportedProblem& problem,
                                const ReportedContestant& wrong,
                                std::span<const record::Audit> launches);

}  // namespace mpiaudit
