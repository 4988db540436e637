// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "code/areas.h"
#include "code/recorded_steps.h"
#include "problem/element.h"

namespace mpiaudit {

/// The rows of all ranks, and what they need.
struct AlgorithmTable {
    std::string rows, pieces;
    std::size_t number_of_rows = 0, number_of_pieces = 0, messages = 1, types = TypeNumber::made,
                buffers = BufferNumber::temporary;
    std::set<std::string, std::less<>> needed = {};  ///< conditions of code/algorithm.inc
};

/// Adds the rows of one rank. Throws std::invalid_argument if a program would be too long.
void add_rows(AlgorithmTable& table, int rank, const std::vector<RecordedStep>& steps,
              const Areas& areas, const Element& element);

}  // namespace mpiaudit
