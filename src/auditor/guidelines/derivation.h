// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "guidelines/guideline_file.h"

namespace mpiaudit {

/// Guidelines that follow from the graph of layouts: every native collective must be no slower than
/// any simple path of native collectives between its two ends, of at most `length` operations (an
/// agreement counts as one; views and local moves do not). The id is the statement without its
/// arguments. Left out are the forms that only differ in how they are called (non-blocking,
/// persistent, in place), and padding before an operation that does not need it.
std::vector<Guideline> derive_guidelines(int length);

}  // namespace mpiaudit
