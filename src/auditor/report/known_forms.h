// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "known_faults/known_faults.h"
#include "operations/form.h"

namespace mpiaudit {

/// Returns the names of the forms all of whose calls have the fault: MPI_Gather_init. Returns
/// nothing if the fault has conditions beside operation, start and MPI_IN_PLACE. Without a
/// condition, the form is blocking, and not in place.
/// \param are_in_parts forms with parts of the data: MPI_Iallgatherv[2 parts]. These calls have
///     displacements with gaps.
std::vector<std::string> forms_of(const library_faults::Fault& fault, bool are_in_parts = false);

/// Returns whether all calls of the way on so many ranks have one of the faults. A form has the
/// faults of the form whose name begins its name: MPI_Gather_init[once] those of MPI_Gather_init.
bool is_known_form(const std::vector<library_faults::Fault>& faults, const Way& way, int ranks);

}  // namespace mpiaudit
