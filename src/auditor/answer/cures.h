// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "operations/form.h"

namespace mpiaudit {

/// Returns what a program does in order to call the right side in the place of the left one, in a
/// few words: MPI_Gatherv; call MPI_Bcast, then compute; keep the buffers, and copy.
/// \param right only operations of MPI and moves within a rank
std::string cure(const Way& left, const Way& right);

/// Returns true if cure() has words for the variant of a form: for what stands in its brackets.
/// Forms without a variant need no words.
bool has_words(const Form& form);

}  // namespace mpiaudit
