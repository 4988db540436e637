// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "code/paste.h"
#include "code/pasted_calls.h"

namespace mpiaudit {

/// The steps of a way, without padding.
struct PastedSteps {
    std::vector<PastedStep> moves = {};  ///< all but views and agreements
    bool is_padded = false;
};

/// Walks along the steps of a way, and writes their calls between the data of the replaced call.
/// Returns an empty code if there is none.
PastedCode code_of_steps(const PastedSteps& steps, const MpiOperation& replaced);

}  // namespace mpiaudit
