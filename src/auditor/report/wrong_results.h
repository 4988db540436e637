// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// A form of an operation, or a composition of operations, that is wrong: an example.
struct WrongForm {
    std::string form;  ///< MPI_Gather[in place], whatever the sizes; the same in every audit
    std::string contestant, problem;         ///< where the fault was found first
    std::string what;                        ///< as the verification says it
    std::vector<std::string> problems = {};  ///< all on which the form is wrong
    std::string command = {};                ///< that shows the fault again

    /// "MPI_Gather(m) gives a wrong result on same/b=10: rank 0 ..."
    std::string sentence() const;
};

/// Each wrong form once; first those that the verification has found, and the barrier of --sync.
std::vector<WrongForm> wrong_forms(const Report& report);

/// What is likely to be one fault: the forms of one operation of MPI that hang, or that crash, or
/// that give wrong results, and the compositions that call one of them.
struct WrongOperation {
    std::string operation;         ///< MPI_Gather; that of a composition where no part is wrong
    std::vector<WrongForm> forms;  ///< the plain operation first, if it is wrong
    /// The sentence of the first form, with how many others there are.
    std::string sentence() const;
};
std::vector<WrongOperation> wrong_operations(const Report& report);

/// The forms that this version of the library is known from elsewhere to fail in, a sentence each:
/// they were not tested.
std::vector<std::string> untested_known_faults(const Report& report);

/// How many forms were verified before anything was timed, of those that exist here.
struct VerifiedForms {
    std::size_t verified = 0, all = 0;
    double elapsed_s = 0.0;  ///< that the verification took
    /// "Verified 387 of 3590 forms; --budget 3m verifies all"; empty where all were.
    std::string sentence() const;
};
VerifiedForms verified_forms(const Report& report);

/// Of the budget, what the verification of all forms takes at least and at most.
inline constexpr double least_verification_s = 5.0, verification_share_of_budget = 0.25;

}  // namespace mpiaudit
