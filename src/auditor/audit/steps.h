// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "audit/confirmation.h"
#include "machine/machine.h"
#include "measure/protocol.h"
#include "options/options.h"
#include "plan/plan.h"
#include "problem/arrivals.h"
#include "record/audit_record.h"
#include "record/samples_file.h"
#include "report/gate.h"
#include "report/report.h"
#include "timing/clock.h"
#include "timing/global_clock.h"
#include "trace/trace.h"

namespace mpiaudit {

/// The clock that an audit measures with, and what it can tell.
struct AuditClock {
    /// Looks at the clock of every rank, and brings them to agree where samples start in a window.
    /// Collective over MPI_COMM_WORLD.
    AuditClock(const Clock& clock, const AsGiven<SampleStarts>& sync);

    record::ClockRecord record;          ///< what it is worth, on the worst of the ranks
    std::optional<std::string> warning;  ///< what makes the times less trustworthy
    std::optional<GlobalClock> global;   ///< where samples start in a window
};

/// What is known of the ranks of a job, and of what lies between them.
struct Surroundings {
    std::unique_ptr<const RankNetwork> network;
    Machine machine;
    application::Launch launch;
    std::uint64_t memory_bytes;  ///< that a rank may have for buffers
    std::optional<ArrivalPattern> arrivals;
    /// References of the first session's plan, where this session goes on with an audit.
    std::optional<int> recorded_references;
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

/// How far a session came; the same on every rank.
struct Progression {
    int measured = 0;  ///< problems
    int signal = 0;    ///< that ended it before the last problem; 0: none
};

/// Measures every problem that the session does not have yet, those first that tell most. What the
/// budget of seconds has no room for is recorded as such. In what is left of it further ones are
/// chosen, where the plan allows that, and join it. `session`: null but on rank 0. Collective.
Progression measure_problems(Plan& plan, const std::vector<Guideline>& guidelines,
                             const Protocol& protocol, double budget_s, Session* session,
                             When moving_progress);

/// The ranks that a plan is for: the `ranks` of this job, or with --dry-run in a single process
/// those of --ranks. So a job can be planned before it is submitted, without its hosts.
int ranks_of_plan(const LaunchOptions& options, int ranks);

/// Prints the plan in words. On rank 0 of so many.
void dry_run(const Plan& plan, const Inputs& inputs, const RunOptions& options, int ranks);

/// Writes report.json, prints tables and conclusions, and returns the exit code of the audit. On
/// rank 0. \param suspicions those of a confirmation, else null
/// \param signal that ended the audit early, or 0
int conclude(const Session& session, const RunOptions& options, const Suspicions* suspicions,
             const judge::Rule& rule, int signal);

/// Writes report.json of what a folder has, from the files alone: the audit itself has stopped.
/// Returns what to say of it, or why it cannot be.
std::string report_what_is_kept(const std::string& folder);

/// The command that goes on with an audit: that of its first session with --resume.
std::string resume_command(const record::Header& header, const std::string& folder);

/// Throws UsageError where --baseline cannot be read or a file of a format not be written: before
/// hours are spent on measuring.
void check_gate(const GateOptions& options);

/// Writes the files of the formats, says what the gate excuses, and returns the exit code that the
/// report asks for. Throws UsageError where that is not possible.
int end_with(const Report& report, const GateOptions& options);

}  // namespace mpiaudit
