// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

/// The number of physical cores that this process may use: the cores of its CPU mask, at most as
/// many as its control groups grant, at least 1.
/// \param system the root folder of the system, another one in tests
int usable_cores(const std::string& system = "/");

}  // namespace mpiaudit
