// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "calls/properties.h"

namespace mpiaudit::calls {

/// A fault that certain versions of an MPI library are known to have. An audit does not count the
/// fault as new.
struct KnownFault {
    /// The values of each property with which calls have the fault; empty: with any value.
    std::array<std::vector<std::uint8_t>, property_count> values = {};
    bool ends_launch = false;  ///< the call crashes or hangs

    bool has(const ChosenCall& call) const;
    /// Returns the simplest call with the fault. The operation and the values of the fault are
    /// those of `call` if `call` has the fault.
    ChosenCall simplest_like(const ChosenCall& call) const;
};

/// Returns the known faults of a library. \param library as library_name() returns the name
std::vector<KnownFault> known_faults_of(const std::string& library);

}  // namespace mpiaudit::calls
