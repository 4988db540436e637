// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "audit/audit_clock.h"
#include "audit/confirmation.h"
#include "machine/machine.h"
#include "options/options.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "trace/trace.h"

namespace mpiaudit {

/// What an audit knows about itself before its first problem is measured.
struct Circumstances {
    const Command& command;
    const Inputs& inputs;
    const Plan& plan;
    const Machine& machine;
    const RankNetwork* network;  ///< of --network, where one is given
    const AuditClock& clock;
    std::optional<LinearModel> cost_model;
    const Suspicions* suspicions;  ///< of --confirm, or null
};

/// The first line of samples.jsonl: everything about the audit that is not a sample; the seed of
/// the order is drawn where none is given. On rank 0.
record::Header make_header(const Circumstances& known);

}  // namespace mpiaudit
