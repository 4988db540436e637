// SPDX-License-Identifier: BSD-3-Clause
#include "audit/header.h"

#include <fmt/format.h>
#include <mpi.h>

#include "messages/agreement.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

// Half of a microsecond is about the fastest small collective; such a clock cannot time it.
constexpr double coarse_clock_s = 0.5e-6;

ClockQuality worst_quality(const Clock& clock) {
    if (platform().time_stands_still) return {};
    ClockQuality quality = measure(clock);
    quality.resolution_s = largest_of_ranks(quality.resolution_s, MPI_COMM_WORLD);
    quality.goes_back = largest_of_ranks(quality.goes_back ? 1.0 : 0.0, MPI_COMM_WORLD) > 0.0;
    return quality;
}

}  // namespace

AuditClock::AuditClock(const Clock& clock, const AsGiven<SampleStarts>& sync)
    : clock_{clock}, synchronisation_{sync.text()}, quality_{worst_quality(clock_)} {
    if (!sync->in_window) return;
    global_.emplace(MPI_COMM_WORLD, clock_);
    agreement_ = global_->check();
}

record::ClockRecord AuditClock::record() const {
    record::ClockRecord record{.name = std::string(clock_.name),
                               .resolution_s = quality_.resolution_s,
                               .read_s = quality_.read_s,
                               .synchronisation = synchronisation_,
                               .global = {}};
    if (global_)
        record.global = {.error_s = agreement_.error_s,
                         .round_trip_s = agreement_.round_trip_s,
                         .drift = agreement_.drift,
                         .worst_error_s = {}};
    return record;
}

std::optional<std::string> AuditClock::warning() const {
    // Simulated time moves with messages only, but then by any amount.
    if (platform().time_stands_still) return std::nullopt;
    const char* const other = clock_.name == "mpi" ? "monotonic" : "mpi";
    if (quality_.goes_back)
        return fmt::format(
            "the clock {} goes backwards, so that some times are too short; try --clock {}",
            clock_.name, other);
    if (quality_.resolution_s <= coarse_clock_s && quality_.resolution_s > 0.0) return std::nullopt;
    return fmt::format(
        "the clock {} has steps of {:.2g} us, too coarse for small problems; try --clock {}",
        clock_.name, quality_.resolution_s * 1e6, other);
}

}  // namespace mpiaudit
