// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "messages/observer.h"

namespace mpiaudit {

/// Consecutive elements of the problem's type in memory, or consecutive bytes of other data.
struct Run {
    std::uintptr_t address = 0;
    std::int64_t count = 0;
    bool are_elements = false;

    bool operator==(const Run&) const = default;
};

/// The element type of a problem.
struct ElementType {
    MPI_Datatype type;
    std::size_t extent_bytes;

    std::int64_t bytes(const Run& run) const {
        return run.count * (run.are_elements ? static_cast<std::int64_t>(extent_bytes) : 1);
    }
};

/// Returns the memory that the arguments of a call describe, in the order of the type map; none
/// without data. Neighbouring runs are joined. Throws std::invalid_argument for a datatype that no
/// reference algorithm makes.
std::vector<Run> runs_of(const Observer::Data& data, const ElementType& element);

}  // namespace mpiaudit
