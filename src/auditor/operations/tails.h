// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "operations/form.h"

namespace mpiaudit {

/// Returns true for the way of an operation whose long calls are judged (judge/tails.h): one call
/// of an operation of the library, in any form, on the whole problem.
inline bool has_judged_tail(const Way& way) {
    return way.terms.size() == 1 && way.scale.is_plain() && way.copy == 1 &&
           way.terms.front().form.is_of_mpi() && !way.makes_communicator();
}

}  // namespace mpiaudit
