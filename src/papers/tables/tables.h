// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "audit/commands.h"
#include "catalogue/arrow.h"

namespace mpiaudit {

/// Registers algorithms, arrows and lists of papers with the auditor. Must run once,
/// before any of these is used.
void join_papers(OtherProducts& other_products);

/// Returns the arrows of persistent all-to-alls without copies, whose datatypes are created once.
std::vector<Arrow> zero_copy_arrows();
/// Registers the datatype work of the algorithms of zero_copy.h for --no-communication.
void join_types_only();

}  // namespace mpiaudit
