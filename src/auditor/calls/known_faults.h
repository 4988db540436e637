// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "calls/properties.h"

namespace mpiaudit::calls {

/// A fault that certain versions of an MPI library are known to have. An audit does not count the
/// fault as new.
struct KnownFault {
    /// The fault needs all conditions of `simplest`. A property whose value differs between the two
    /// calls has the fault with any value but the simplest one.
    ChosenCall simplest, origin;
    bool ends_launch = false;  ///< the call crashes or hangs
    bool is_of_all_operations = false;

    bool has(const ChosenCall& call) const;
    /// Returns the simplest call with the fault; for a fault of all operations, of the operation of
    /// `call`.
    ChosenCall simplest_like(const ChosenCall& call) const;
};

/// Returns the known faults of a library. \param library text of MPI_Get_library_version
std::vector<KnownFault> known_faults_of(const std::string& library);

}  // namespace mpiaudit::calls
