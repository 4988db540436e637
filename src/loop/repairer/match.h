// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interposition/arguments.h"
#include "repairer/session.h"

namespace mpiaudit::repairer {

/// The rule whose path this call takes; null when it is the library's. All ranks of the call get
/// the same answer, as it follows from what all of them know alike. Collective when a communicator
/// gets its duplicate.
AppliedRule* match(OfCollective& own, interposition::Shape shape,
                   const interposition::Arguments& arguments);

}  // namespace mpiaudit::repairer
