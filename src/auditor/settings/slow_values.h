// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "settings/given.h"

namespace mpiaudit::settings {

/// Adds to `results` which values make all operations slow: to the outcome of the setting, or as an
/// outcome if nobody set the value.
/// \param all the settings of the library
void explain_slow_values(const Library& library, const std::vector<Given>& all,
                         std::vector<Outcome>& results);

}  // namespace mpiaudit::settings
