// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "audit/commands.h"
#include "audit/confirmation.h"
#include "collectives/patterns/node_communicators.h"
#include "machine/machine.h"
#include "measure/protocol.h"
#include "mpi/watchdog.h"
#include "options/options.h"
#include "plan/plan.h"
#include "problem/arrivals.h"
#include "record/audit_record.h"
#include "record/samples_file.h"
#include "report/gate.h"
#include "report/report.h"
#include "settings/in_effect.h"
#include "timing/clock.h"
#include "timing/global_clock.h"
#include "trace/trace.h"

namespace mpiaudit {

/// The clock that an audit measures with, and its quality.
struct AuditClock {
    /// Measures the clock of every rank, and synchronises the clocks for --sync global. Collective
    /// over audited_ranks().
    AuditClock(const Clock& clock, const AsGiven<SampleStarts>& sync);

    record::ClockRecord record;          ///< quality on the worst rank
    std::optional<std::string> warning;  ///< why times of this clock are unreliable
    std::optional<GlobalClock> global;   ///< only with --sync global
};

/// The library's settings on rank 0, and a sentence about a rank with other ones.
struct SettingsOfRanks {
    settings::Library library;
    std::vector<settings::Outcome> differing;
};

/// Returns what became of the settings.
std::vector<settings::Outcome> outcomes_of(const SettingsOfRanks& settings);

/// The ranks of a job and the links between them.
struct Surroundings {
    std::unique_ptr<const RankNetwork> network;
    Machine machine;
    int ranks;                   ///< of this job
    application::Launch launch;  ///< for which the audit is planned
    NodeSplit nodes;             ///< of the planned ranks
    std::uint64_t memory_bytes;  ///< for the buffers of a rank
    std::optional<ArrivalPattern> arrivals;
    /// References in the plan of the first session; only in a resumed audit.
    std::optional<int> recorded_references;
    SettingsOfRanks settings;
};

/// What the user asks for, and what the files say that the user names.
struct Asked {
    const Command& command;
    const OtherProducts& joined;
    const Suspicions* suspicions;  ///< null without --confirm
    Inputs inputs;

    const RunOptions& options() const { return command.run; }
    bool selects_nothing() const;
};

/// Examines machine, network and launch. Collective.
/// \param ranks of this job
Surroundings examine_surroundings(const Asked& asked, int ranks);

/// A plan with the inputs and types that its problems refer to.
struct TypedPlan {
    Inputs inputs;
    Types types;
    Plan plan;

    TypedPlan(Inputs given, const RunOptions& options, const Surroundings& around);
};

/// Everything that an audit knows before it measures its first problem.
struct Circumstances {
    const Command& command;
    const OtherProducts& joined;
    const Suspicions* suspicions;  ///< null without --confirm
    const Surroundings& around;
    std::shared_ptr<const TypedPlan> typed;
    const Inputs& inputs = typed->inputs;
    const Types& types = typed->types;
    const Plan& plan = typed->plan;

    const RunOptions& options() const { return command.run; }
};

/// Makes the plan; of a confirmation, with the suspects and controls alone. Collective.
Circumstances plan_audit(Asked asked, const Surroundings& around);

/// Prints the settings and the plan, on rank 0.
void dry_run(const Circumstances& known);

/// Returns the first line of samples.jsonl, on rank 0: everything about the audit that is not a
/// sample. Draws the order seed if none is given.
record::Header make_header(const Circumstances& known, const AuditClock& clock,
                           const std::optional<LinearModel>& cost_model);

/// An audit that can measure: devices, clocks and the folder are ready, and a watchdog watches.
struct OpenAudit {
    /// Throws UsageError on all ranks alike. Collective.
    /// \param of_launch watches more ranks than those that audit; null: the audit has its own one
    OpenAudit(const Circumstances& circumstances, Watchdog* of_launch);
    OpenAudit(const OpenAudit&) = delete;
    OpenAudit& operator=(const OpenAudit&) = delete;

    const RunOptions& options() const { return known.options(); }

    const Circumstances& known;
    std::unique_ptr<Watchdog> own_watchdog;  ///< null if the launch has one
    Watchdog& watchdog;
    AuditClock clock;
    std::unique_ptr<Session> session;  ///< null on all ranks but rank 0
    Protocol protocol;
    Plan plan = known.plan;  ///< grows by chosen problems
};

/// Notes operations that hang or crash in the folder of the session. Collective.
/// \param remedy comes before the command that resumes the audit
void watch_folder(const OpenAudit& opened, const char* remedy);

/// How far a session came, alike on every rank.
struct Progression {
    int measured = 0;  ///< number of problems
    int signal = 0;    ///< signal that ended the session before the last problem; 0: none
};

/// Measures the problems without a record in the session, in the order of by_value(). Records the
/// contestants for which the budget has no time. Chooses further problems in the remaining time if
/// the plan allows them, and adds them to the plan. Then examines the machine again. Collective.
Progression measure_problems(OpenAudit& opened);

/// Checks the library, which may end the launch: all that is measured is kept. Returns the signal
/// that ended the check, or 0. Collective.
int check_library(OpenAudit& opened);

/// Returns the number of ranks that a plan is for: the `ranks` of this job, or --ranks in a dry run
/// of a single process, which plans a job before it is submitted.
int ranks_of_plan(const LaunchOptions& options, int ranks);

/// The end of an audit on rank 0. The audit is judged once when it is measured, and once more after
/// its generated calls.
class Conclusion {
  public:
    /// \param suspicions of a confirmation, else null
    Conclusion(const Session& session, const RunOptions& options, const Suspicions* suspicions,
               judge::Rule rule);

    /// Writes report.json, and prints tables and conclusions.
    /// \param calls_follow leaves generated calls of earlier sessions to show_generated_calls()
    void show(bool calls_follow);
    /// Writes report.json, and prints the answer of the generated calls.
    void show_generated_calls();
    /// Writes the files of the gate. Returns the exit code of the audit.
    /// \param signal that ended the audit early, or 0
    int end(int signal) const;

  private:
    void judge_audit();

    const Session& session_;
    const RunOptions& options_;
    const Suspicions* suspicions_;
    judge::Rule rule_;
    std::string file_;  ///< report.json
    /// A confirmation has the joint report of the audit and all launches that confirm the audit.
    Report report_;
};

/// Returns the joint report of launches, with the settings of the library that another audit has
/// found. \param settings folder of this audit; empty: the one that `local` leaves in its folder
/// \param rule changes the rule of the audit; may be empty
Report report_with_settings(const std::vector<std::string>& folders, std::string settings,
                            const std::function<judge::Rule(const judge::Rule&)>& rule);

/// Returns the program as a user calls it. In a simulation, the ranks run a library beside it.
std::string program_of(const record::Header& header);

/// Writes report.json from the files of a folder, for an audit that hangs. Returns the message for
/// the user: the name of the report, or why it cannot be written.
std::string report_what_is_kept(const std::string& folder);

/// Returns the command that resumes the audit: the command of its first session with --resume.
std::string resume_command(const record::Header& header, const std::string& folder);

/// Returns the exit code of several audits: the gravest of any audit; 4 and 5 only if all have it.
int joint_code(const std::vector<int>& codes);

/// Throws UsageError if --baseline cannot be read or the file of a format cannot be written, before
/// hours are spent on measuring.
void check_gate(const GateOptions& options);

/// Writes the files of the formats, prints the violations that the gate excuses, and returns the
/// exit code for the report. Throws UsageError if a file cannot be written.
int end_with(const Report& report, const GateOptions& options);

}  // namespace mpiaudit
