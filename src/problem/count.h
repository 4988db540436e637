// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace mpiaudit {

/// A number of elements. Wide on purpose: narrowing to the int of MPI happens in one checked place.
using Count = std::int64_t;

}  // namespace mpiaudit
