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
    std::string command = {};                ///< command that shows the fault again
    /// The operation of a generated call, whose `contestant` has its conditions in words; else
    /// empty.
    std::string generated = {};

    /// Returns "MPI_Gather(m) gives a wrong result on same/b=10: rank 0 ...".
    std::string sentence() const;
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
    /// Returns the sentence of the first form, and how many other forms there are.
    std::string sentence() const;
};
/// Returns the wrong operations; single operations come before compositions that are wrong alone.
std::vector<WrongOperation> wrong_operations(const Report& report);

/// Returns a sentence for each form that was not tested because this version of the library is
/// known to fail in it.
std::vector<std::string> untested_forms(const Report& report);

/// Returns a sentence about the known faults that generated calls and the audit have found; empty
/// if there are none.
std::string known_faults_in_words(const Report& report);

/// Returns "Checked 4000 generated calls of the library in 5.0 s, with 15000 of 17806 pairs of
/// properties; --check-calls 10s has all pairs", where the time is an estimate from above. Returns
/// an empty text if the audit has generated no calls.
std::string generated_calls_in_words(const Report& report);

}  // namespace mpiaudit
