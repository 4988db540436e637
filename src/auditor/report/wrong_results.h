// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// A wrong form of an operation, a wrong composition of operations, or a fault of generated calls,
/// with an example.
struct WrongForm {
    /// MPI_Gather[in place], without sizes, or the text of a generated call; equal in all audits.
    std::string form;
    std::string contestant, problem;  ///< the first contestant and problem with the fault
    Fault what;
    std::vector<std::string> problems = {};  ///< all problems on which the form is wrong
    /// The operation of a generated call, whose `contestant` has its conditions in words; else
    /// empty.
    std::string generated = {};
};

/// Returns each wrong form once: first those that the verification found, and the barrier of
/// --sync.
std::vector<WrongForm> wrong_forms(const Report& report);

/// The wrong forms that probably have one fault in common: the forms of one operation that hang, or
/// that crash, or that give wrong results, and the compositions that call one of these forms; or
/// generated calls of several operations that need equal conditions.
struct WrongOperation {
    std::string operation;         ///< MPI_Gather; the composition if none of its parts is wrong
    std::vector<WrongForm> forms;  ///< the plain operation first if it is wrong
};
/// Returns the wrong operations; single operations come before compositions that are wrong alone.
std::vector<WrongOperation> wrong_operations(const Report& report);

/// Returns the known, or the new, faults of generated calls.
std::vector<record::CallFinding> findings_of(const Report& report, bool are_known);

/// Returns the wrong forms of a report in which the library is known to fail.
std::vector<std::string> known_wrong_forms(const Report& report);

}  // namespace mpiaudit
