// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// One line that makes a program take this way: the calls, with the names of the MPI standard for
/// what they need, or the environment of a forced algorithm. Between several calls data are in
/// tmp; m' of a padded one is largest, the vector of all blocks has total elements. Empty where
/// the record does not say how a step is written, and for parts of the data and larger ones.
/// \param implementations of the audit
std::string pasted_code(const record::ContestantDescription& way,
                        const std::vector<record::Implementation>& implementations);

/// The same as a block of C that can stand in the place of a call: it defines every variable that
/// the replaced operation has no argument for. `count` and `type` are the number and type of the
/// elements that the rank gives or gets, as in the arguments of the operation.
/// \param left the accused operation: MPI_Gather
std::string code_to_paste(const record::ContestantDescription& way, const std::string& left,
                          const std::vector<record::Implementation>& implementations);

/// A way as calls of MPI and nothing else, for a program of its own.
struct CallsOfWay {
    std::string text;  ///< as pasted_code, with the elements of a whole vector called total
    /// The buffers that it takes its data from, and has its result in, as expressions on a rank.
    std::string in, out;
};

/// Nothing where it is no path of MPI calls, or one that prepares what it does. Of parts and larger
/// problems: one call on that size.
std::optional<CallsOfWay> calls_of_mpi(const record::ContestantDescription& way,
                                       const std::vector<record::Implementation>& implementations);

}  // namespace mpiaudit
