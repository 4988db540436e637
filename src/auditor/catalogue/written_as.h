// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// What a program has to have in order to take this arrow: the function that it calls, with the
/// name that this MPI library has for it, or for a forced algorithm the variables of the
/// environment that it is started with. Empty where there is nothing of the kind, as for what is
/// scheduled for one network.
std::string written_as(const Arrow& arrow);

}  // namespace mpiaudit
