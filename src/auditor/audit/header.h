// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "audit/confirmation.h"
#include "machine/machine.h"
#include "options/options.h"
#include "plan/plan.h"
#include "problem/arrivals.h"
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

/// What is known of the ranks of a job, and of what lies between them.
struct Surroundings {
    std::unique_ptr<const RankNetwork> network;
    Machine machine;
    application::Launch launch;
    std::uint64_t memory_bytes;  ///< that a rank may have for buffers
    std::optional<ArrivalPattern> arrivals;
};

/// What an audit knows about itself before its first problem is measured.
struct Circumstances {
    const Command& command;
    const Suspicions* suspicions;  ///< of --confirm, or null
    const Surroundings& around;
    const Inputs& inputs;
    const Types& types;
    const Plan& plan;

    const RunOptions& options() const { return command.run; }
};

/// The first line of samples.jsonl: everything about the audit that is not a sample; the seed of
/// the order is drawn where none is given. On rank 0.
record::Header make_header(const Circumstances& known, const AuditClock& clock,
                           const std::optional<LinearModel>& cost_model);

}  // namespace mpiaudit
