// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "audit/commands.h"

namespace mpiaudit {

/// Joins generated calls to the auditor: their search, their C programs and their properties.
void join_checker(OtherProducts& other_products);

}  // namespace mpiaudit
