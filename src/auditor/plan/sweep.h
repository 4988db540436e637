// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "guidelines/guideline_file.h"

namespace mpiaudit {

/// What --algorithms adds to an audit.
struct Sweep {
    std::vector<Guideline> guidelines;  ///< operation <= operation[algorithm], for each algorithm
    std::vector<std::string> warnings;  ///< operations that were asked for and offer no choice
};

/// Makes the library's own algorithms for `operations` (names such as gather or MPI_Gather, or
/// "all") operations of their own, named MPI_Gather[binomial], by joining the catalogue. At most
/// once in a program, after MPI_Init, the same on every rank. Throws UsageError for a name that is
/// no operation, and, where the user has asked for algorithms, when the library offers nothing to
/// choose.
Sweep sweep_algorithms(const std::vector<std::string>& operations, bool is_asked_for = true);

}  // namespace mpiaudit
