// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "options/options.h"
#include "record/audit_record.h"
#include "timing/clock.h"
#include "timing/global_clock.h"

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

}  // namespace mpiaudit
