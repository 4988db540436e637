// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// A wrong form of an operation, or a wrong composition of operations, with an example.
struct WrongForm {
    std::string form;                 ///< MPI_Gather[in place], without sizes; equal in all audits
    std::string contestant, problem;  ///< the first contestant and problem with the fault
    std::string what;                 ///< the words of the verification
    std::vector<std::string> problems = {};  ///< all problems on which the form is wrong
    std::string command = {};                ///< command that shows the fault again

    /// Returns "MPI_Gather(m) gives a wrong result on same/b=10: rank 0 ...".
    std::string sentence() const;
};

/// Returns each wrong form once: first those that the verification found, and the barrier of
/// --sync.
std::vector<WrongForm> wrong_forms(const Report& report);

/// The wrong forms that probably have one fault in common: the forms of one operation that hang, or
/// that crash, or that give wrong results, and the compositions that call one of these forms.
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
std::vector<std::string> untested_known_faults(const Report& report);

/// Returns a sentence that names the types of which MPI_SUM saturates in this library; empty if
/// sums wrap around. Every audit of Debian's Open MPI has this remark, which does not change the
/// exit code.
std::string saturated_sums(const Report& report);

/// The numbers of forms that were verified before the first measurement, and of all forms.
struct VerifiedForms {
    std::size_t verified = 0, all = 0;
    double elapsed_s = 0.0;  ///< seconds of the verification
    /// Returns "Verified 387 of 3590 forms; --budget 3m verifies all"; empty if all forms were
    /// verified.
    std::string sentence() const;
};
VerifiedForms verified_forms(const Report& report);

/// The verification of all forms takes at least these seconds and at most this share of the budget.
inline constexpr double least_verification_s = 5.0, verification_share_of_budget = 0.25;

}  // namespace mpiaudit
