// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace mpiaudit {

/// The place in a vector of what is counted from 0 by an int: a host, a pool, a datum.
inline std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace mpiaudit
