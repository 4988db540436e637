// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "audit/confirmation.h"
#include "machine/machine.h"
#include "options/options.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "timing/clock.h"
#include "timing/global_clock.h"
#include "trace/trace.h"

namespace mpiaudit {

/// The clock that an audit measures with, and what it can tell.
class AuditClock {
  public:
    /// Looks at the clock of every rank, and brings them to agree where samples start in a window.
    /// Collective over MPI_COMM_WORLD.
    AuditClock(const Clock& clock, const AsGiven<SampleStarts>& sync);

    /// Null where no samples start in a window.
    GlobalClock* global() { return global_ ? &*global_ : nullptr; }
    record::ClockRecord record() const;
    /// What makes the times less trustworthy.
    std::optional<std::string> warning() const;

  private:
    Clock clock_;
    std::string synchronisation_;
    ClockQuality quality_;  ///< the worst over the ranks
    std::optional<GlobalClock> global_;
    ClockAgreement agreement_;
};

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
