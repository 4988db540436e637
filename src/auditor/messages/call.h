// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace mpiaudit {

/// What the clock sees: no arguments, no allocation, no result.
using Call = std::function<void()>;

}  // namespace mpiaudit
