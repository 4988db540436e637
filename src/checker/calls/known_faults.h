// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calls/properties.h"
#include "known_faults/known_faults.h"

namespace mpiaudit::calls {

/// A fault that certain versions of an MPI library are known to have. An audit does not count the
/// fault as new.
struct KnownFault {
    /// The values of each property with which calls have the fault; empty: with any value.
    std::array<std::vector<std::uint8_t>, property_count> values = {};
    bool ends_launch = false;  ///< the call crashes or hangs
    /// Limits for the ranks of a communicator and of a periodic dimension; nullopt: none.
    std::optional<int> least_ranks = {}, most_ranks = {}, most_periodic_ranks = {};

    /// Whether the call of a launch with so many ranks has the fault.
    bool has(const ChosenCall& call, int ranks) const;
    /// Returns the simplest call with the fault. The operation and the values of the fault are
    /// those of `call` if `call` has the fault.
    ChosenCall simplest_like(const ChosenCall& call) const;
};

/// Returns the known faults of a library. Throws std::invalid_argument "FILE:LINE: ..." with the
/// valid names if any fault of the file has an unknown property or value, or if its call does not
/// have the fault. \param library as library_name() returns the name
std::vector<KnownFault> known_faults_of(const std::string& library,
                                        const library_faults::File& file);
/// Returns the known faults of a library in the file that comes with mpiaudit.
std::vector<KnownFault> known_faults_of(const std::string& library);

}  // namespace mpiaudit::calls
