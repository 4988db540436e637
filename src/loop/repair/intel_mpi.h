// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "repair/violations.h"

namespace mpiaudit::repair {

bool is_intel_mpi(const std::string& library);

/// Each algorithm that Intel documents for the collective, on the sizes where something else is
/// faster, and on as many ranks: for I_MPI_ADJUST. None is known to be faster, as this library
/// changes its algorithms at its start only: what is offered is found by trying. Empty for a
/// collective that has no such choice.
/// \param sizes ascending
std::vector<Setting> intel_settings(const std::string& collective,
                                    const std::vector<AuditedSize>& sizes, int ranks);

}  // namespace mpiaudit::repair
