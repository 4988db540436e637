// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "record/audit_record.h"
#include "report/report.h"

namespace mpiaudit {

/// What a program shows of a report.
struct Subject {
    const JudgedCheck* check;
    const OverviewRow* row = nullptr;  ///< of the first screen; null if the program shows no row
};

/// Returns the C program of a check, or of a row of the first screen, which compares the left side
/// of the same check with its replacement. Throws std::invalid_argument with the reason if there is
/// no program. Starts MPI if the program has the messages of an algorithm, which are recorded.
std::string program_of_subject(const Report& report, const Subject& subject,
                               std::span<const record::Audit> launches);

/// Returns the program of a form that is wrong, hangs or crashes, beside the usual form. Throws as
/// program_of_subject() does.
std::string program_of_fault(const Report& report, const ReportedProblem& problem,
                             const ReportedContestant& fault,
                             std::span<const record::Audit> launches);

}  // namespace mpiaudit
