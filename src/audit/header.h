// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "measure/measurement.h"
#include "plan/plan.h"
#include "machine/machine.h"

namespace mpiaudit {

/// The first line of samples.jsonl: everything about the audit that is not a sample. On rank 0.
nlohmann::json make_header(const Command& command, const Inputs& inputs, const Plan& plan,
                           const Machine& machine, const Protocol& protocol,
                           const ClockQuality& clock);

}  // namespace mpiaudit
