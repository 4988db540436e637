// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure/prepared.h"
#include "measure/protocol.h"
#include "record/samples_file.h"

namespace mpiaudit {

/// The incidents of earlier sessions, by problem.
using Incidents = std::map<std::string, std::vector<KnownIncident>>;
/// Returns the incidents that the session on rank 0 knows. Collective.
Incidents known_incidents(const Session* session);

/// Returns the forms that crashed or hung as generated calls without further conditions. The ranks
/// would end again if an audit timed such a form. Collective.
std::vector<KnownIncident> forms_that_end_launches(const Session* session);

/// Returns the protocol with mpiaudit's own barrier if MPI_Barrier was wrong or hung in an earlier
/// session. Collective.
Protocol with_trusted_barrier(Protocol protocol, const Session* session);

}  // namespace mpiaudit
