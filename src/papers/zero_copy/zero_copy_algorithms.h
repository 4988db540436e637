// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algorithms/algorithms.h"

namespace mpiaudit {

/// The rows of zero_copy.h in the table of algorithms.
std::vector<Algorithm> zero_copy_algorithms();

}  // namespace mpiaudit
