// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "application/selection.h"
#include "causes/old_texts.h"
#include "judge/tails.h"
#include "judge/verdict.h"
#include "machine/machine_description.h"
#include "operations/form.h"
#include "options/option_value.h"
#include "settings/in_effect.h"
#include "simulation/simulation.h"
#include "text/packed.h"
#include "trace/trace.h"

namespace mpiaudit {
/// Types for the record of an audit: its conditions, its problems and the samples of its
/// contestants. samples.jsonl holds the record line by line (see json_form.h); the report is
/// computed from the record.
namespace record {

/// Version of records and reports: major.minor. Readers accept any minor version of the major
/// versions that they know.
inline constexpr const char* schema_version = "2.3";

struct Tool {
    std::string name, version, commit;
    std::string program = {};  ///< program_of_archive(), in text/version.h
    bool operator==(const Tool&) const = default;
};

struct Library {
    std::string library;   ///< MPI_Get_library_version
    std::string standard;  ///< MPI_Get_version
    /// The file of the shared library in use and a checksum of its bytes, which distinguishes
    /// builds of one version; none in a simulation. Since version 1.4.
    std::optional<std::string> file = {}, checksum = {};
    bool operator==(const Library&) const = default;
};

using mpiaudit::Job;
using Simulation = simulation::Description;

/// The synchronised clocks at the start of an audit. Outside of ClockRecord, because clang cannot
/// make an optional of a nested type there.
struct GlobalClocks {
    double error_s = 0, round_trip_s = 0, drift = 0;
    /// The largest error during the audit; only reports have this member. Since version 1.3.
    std::optional<double> worst_error_s = {};
};

struct ClockRecord {
    using Global = GlobalClocks;
    std::string name;
    double resolution_s = 0;  ///< the largest of all ranks
    double read_s = 0;        ///< mean time of one reading
    std::string synchronisation;
    std::optional<Global> global = {};
};

/// The rule of judgement, with the largest number of rounds of a problem.
struct RuleRecord : judge::Rule {
    int max_rounds = 0;
};

struct DistributionRecord {
    std::string name, summary, source;
    std::optional<std::string> formula = {};  ///< empty if the blocks have explicit counts
    std::optional<std::vector<std::int64_t>> counts = {};  ///< elements of every rank's block
    std::map<std::string, double> parameters = {};
    /// Name of another distribution with the same blocks. Problems of this one have other data.
    /// Since version 1.5.
    std::string repeats = {};
    bool operator==(const DistributionRecord&) const = default;
};

struct GuidelineRecord {
    std::string id, statement, source, advice, file;
    bool operator==(const GuidelineRecord&) const = default;
};

/// An arrow that some contestant uses.
struct Implementation {
    std::string name;  ///< of the form
    std::string collective, from, to;
    bool native = false;
    std::string summary;
    /// The function that a program calls; for a forced algorithm, the environment variables that
    /// select the algorithm; empty if a program cannot call the arrow. Since version 1.1.
    std::string written_as = {};
    /// The operation of the library that this arrow stands for in a simulation; empty for all other
    /// arrows.
    std::string stands_for = {};

    Form form() const { return parse_form(name); }
};

/// Names a check of an audit.
struct CheckKey {
    std::string problem, guideline;  ///< ids
    auto operator<=>(const CheckKey&) const = default;
};

/// The audit that a launch confirms, and the checks that the launch measures again.
struct Confirms {
    std::string folder, started;
    std::uint64_t order_seed = 0;
    std::vector<CheckKey> suspects;  ///< violated checks of the audit
    std::vector<CheckKey> controls;  ///< checks of the audit with another verdict
    bool operator==(const Confirms&) const = default;
};

/// A problem that the plan leaves out because another problem has the same blocks.
struct DuplicateRecord {
    std::string problem, equal_to;  ///< ids
};

/// Limits that decide how many checks an audit has. The first session sets these limits for all
/// sessions, because alpha is divided by the number of checks.
struct PlanLimits {
    int references = 0;              ///< reference algorithms that an operation is compared with
    std::uint64_t memory_bytes = 0;  ///< limit of the buffers of a rank
};

/// The first line of samples.jsonl: everything about an audit except its samples.
struct Header {
    std::string schema_version = record::schema_version;
    Tool tool;
    std::string started;  ///< ISO 8601, UTC
    std::vector<std::string> command;
    OptionValues options;
    OptionValues default_options;  ///< options that belong to the audit, with their defaults
    Library mpi;
    MachineDescription machine;
    Job job;
    bool simulated = false;
    std::optional<Simulation> simulation;
    ClockRecord clock;
    std::map<std::string, std::string>
        environment;                          ///< variables that configure library or launcher
    std::vector<settings::Outcome> settings;  ///< of the library, on rank 0. Since version 2.0
    std::vector<std::string> warnings;
    RuleRecord rule;
    std::optional<LinearModel> cost_model;
    std::vector<DistributionRecord> distributions;
    std::vector<GuidelineRecord> guidelines;
    std::vector<Implementation> implementations;
    std::optional<Confirms> confirms;
    /// Since version 1.1.
    std::optional<std::vector<DuplicateRecord>> duplicates;
    /// Blocking collectives that are on the left side of no guideline. Since version 1.1.
    std::vector<std::string> not_audited;
    /// Operations for which --algorithms would compare algorithms of the library; empty if the
    /// audit has this option. Since version 2.1.
    std::vector<std::string> with_choice;
    /// The selected problems of an application (--problems). Since version 1.2.
    std::optional<application::Selection> application;
    std::size_t planned_problems = 0;
    std::vector<std::string> planned;  ///< their ids. Since version 1.1
    std::optional<PlanLimits> limits;  ///< since version 1.8
    /// A checksum of the file of known faults of libraries. Since version 2.1.
    std::optional<std::string> known_faults;
    /// Ranks of the launch, if the audit has only some of them.
    std::optional<int> launch_ranks;

    /// Returns the option order-seed: the seed of the order of rounds, different in each launch.
    /// Throws std::bad_variant_access if the record lacks the option; read records have it.
    std::uint64_t order_seed() const;
    /// Returns the names of the machine's hosts.
    std::vector<std::string> host_names() const;
};

/// One step of a path: an arrow, and the layouts before and after it. JSON has the text of the
/// step: "MPI_Gather: scattered -> rooted".
struct Step {
    std::string arrow, from, to;
    Form form = {};  ///< of the arrow

    Step() = default;
    Step(std::string arrow_name, std::string source, std::string target);
    /// Reads the text of a step. A text without layouts becomes a step between empty layouts.
    Step(const std::string& text);
    /// Returns the text in JSON; only the arrow if the step has no layouts.
    std::string text() const;
    bool is_view() const { return arrow == "view"; }
    /// Returns true if the layout before the arrow is padded.
    bool is_padded() const { return from.find("padded") != std::string::npos; }
};

/// The ranks with the smallest and the largest median of their own times in a call. The own time of
/// a rank lasts from its own start to its own end.
struct RankMedians {
    int fastest = 0, slowest = 0;
    double fastest_s = 0, slowest_s = 0;
};

/// Describes a contestant, in the record and in the report.
struct ContestantDescription {
    WayName name;                   ///< as in the statements; a second copy ends in #2
    std::string from, to;           ///< layouts
    std::vector<Step> steps;        ///< the resolved path
    bool forced = false;            ///< the library was told which algorithm to take
    std::optional<Reason> skipped;  ///< why the contestant was not measured
    /// Why the contestant is skipped, if this version of the library is known to fail in the call.
    /// Since version 1.8.
    std::optional<Fault> known_to_fail;
    std::optional<Fault> wrong;  ///< what its verification found
    std::optional<double> predicted_s, lower_bound_s;
    /// Growth of the resident memory of a rank in the first call, and in each further call.
    std::optional<double> first_call_bytes, further_call_bytes;
    /// Bytes that each call allocates and never frees, averaged over many calls.
    std::optional<double> lost_bytes;
    /// Many calls would have taken too long, so nobody knows whether a call loses memory. Since
    /// version 2.2.
    bool loss_unknown = false;
    /// The most memory that a call takes from a rank, without the buffers that the caller passes.
    /// Since version 1.7.
    std::optional<double> call_bytes;
    /// None in a simulation. Since version 2.1.
    std::optional<RankMedians> ranks;
    /// The seconds from the first exit of a rank to the last exit, if all ranks enter together: the
    /// median over some calls, at least the error of the clocks. Only of barriers. Since 2.1.
    std::optional<double> exit_skew_s;

    /// Returns the forms of the arrows of the path; in reports that do not list steps, the forms in
    /// the name.
    std::vector<Form> forms() const;
};

/// A path that takes part in the rounds of a problem.
struct Contestant : ContestantDescription {
    std::vector<double> samples_s;  ///< in the order of the rounds in which it took part
};

/// Returns whether something was skipped for a reason of this kind.
inline bool is_skipped_by(ReasonKind kind, const std::optional<Reason>& reason) {
    return reason && reason->kind == kind;
}

/// A guideline on a problem: compares two contestants of the problem, given by their places.
struct Check {
    std::string guideline;  ///< id
    std::size_t left = 0, right = 0;
};

/// The reason why the rounds of a problem ended.
enum class Stopped { decided, rounds, budget };
inline constexpr judge::Names<Stopped, 3> stopped_names{
    {{{Stopped::decided, "decided"}, {Stopped::rounds, "rounds"}, {Stopped::budget, "budget"}}}};

/// Further rounds of the contestants of a problem: the rounds with a young heap (--heap both).
struct MoreRounds {
    /// [round]: the contestants in the order of their calls. In a repeat round (timing/rounds.h)
    /// each contestant stands twice in a row, and its sample is the time of the second call. Since
    /// version 1.8.
    std::vector<std::vector<int>> order;
    std::vector<std::vector<double>> samples_s;  ///< [contestant]
    Stopped stopped = Stopped::decided;
};

/// The long calls of an operation beside another way, in rounds that look for long calls.
struct TailRecord {
    std::size_t left = 0, right = 0;  ///< contestants
    bool after_pause = false;         ///< all ranks paused before each call
    judge::LongCalls calls;
};

/// Rounds before the measured rounds. `settled` says whether their times had stopped to fall; it is
/// empty if the user gave the number of rounds.
struct WarmUpRecord {
    int rounds = 0;
    std::optional<bool> settled;
};

/// Records how starts by the global clock went.
struct WindowRecord {
    int late_starts = 0, dropped_rounds = 0;
    /// Rounds that were dropped because the clocks may have been wrong by too much. Since version
    /// 1.3.
    int unclear_rounds = 0;
    double ahead_s = 0;
    double clock_error_s = 0;  ///< the largest error during the problem
    double clock_round_trip_s = 0;
    std::optional<double> own_time_s;  ///< the t of --arrivals
    /// The barrier that started the samples in place of the clock, if all rounds in the window were
    /// dropped. Since version 1.3.
    std::optional<std::string> instead;

    bool has_dropped() const { return dropped_rounds + unclear_rounds > 0; }
};

/// Times of the barrier before and after the rounds of a problem, each the median of a few calls.
/// Since version 1.3.
struct BarrierTimes {
    double before_s = 0, after_s = 0;
};

/// Time and place at which a resumed audit went on.
struct Continued {
    std::string started;
    std::vector<std::string> hosts;
    Job job;
};

/// Describes a problem, in the record and in the report. Amounts are numbers of elements.
struct ProblemDescription {
    std::string id;  ///< distribution/b=B
    std::string distribution;
    std::int64_t block_size = 0;
    int ranks = 0, root = 0;
    std::string element;
    std::int64_t element_bytes = 0;
    std::string op;
    std::int64_t total = 0, padded_total = 0, smallest = 0, largest = 0;
    /// No call is timed; every form of the operations is verified. Since version 1.5.
    bool verification = false;
    /// The audit chose the problem while it ran, in addition to its plan. Since version 1.5.
    bool chosen = false;
    /// The block size that m+k stands for. Since version 1.5.
    std::optional<std::int64_t> next_block_size = {};
};

/// Describes how a problem was measured, in the record and in the report.
struct MeasuredProblem {
    ProblemDescription problem;
    WarmUpRecord warm_up;
    std::optional<BarrierTimes> barrier;  ///< none in a simulation
    std::optional<WindowRecord> window;
    std::optional<int> buffer_sets;  ///< sets of buffers that calls used in turn (--buffers rotate)
    std::optional<Continued> continued;  ///< set in the first problem after an interruption
    /// Seconds without those of the rounds that look for long calls; in a report, of all launches.
    double elapsed_s = 0;
};

/// One line of samples.jsonl: a problem with everything that was measured on the problem.
struct ProblemRecord : MeasuredProblem {
    std::vector<std::int64_t> counts;  ///< elements of every rank's block
    std::vector<Contestant> contestants;
    std::vector<std::vector<int>> order;  ///< as in MoreRounds
    std::vector<Check> checks;
    Stopped stopped = Stopped::decided;
    std::optional<MoreRounds> young_heap;  ///< empty if no check depends on the heap
    std::vector<TailRecord> tails;         ///< since version 2.1

    /// Returns the number of contestants that were measured, or verified if the problem is a
    /// verification.
    std::size_t number_measured() const;
    /// Returns true if more contestants had no time than were measured; in a verification, if any
    /// contestant had no time. A later session then measures the problem again.
    bool is_cut_short() const;
};

/// An operation that ended a session: it hung, or it crashed.
struct Incident {
    std::string problem;    ///< id
    std::string operation;  ///< name of the contestant
    Fault what;
    /// The session may have ended because a host was lost. The next session calls the operation
    /// once more, and blames the operation if that session ends, too.
    bool is_unclear = false;
};

/// A fault of the library that a generated call has found (docs/generated-calls.md).
struct CallFinding {
    std::string operation;   ///< MPI_Gather
    std::string form;        ///< the form of the operation: MPI_Igather + MPI_Wait
    std::string conditions;  ///< the other conditions in words: "0 elements, root 1"; may be empty
    std::string call;        ///< the simplest call with the fault, as `verify --call` takes it
    std::string origin;      ///< the generated call that has led to the simplest one
    Fault what;
    std::uint64_t calls = 1;  ///< generated calls with all conditions of the simplest one
    /// This version of the library is known to have the fault, which changes no exit code.
    bool is_known = false;

    /// Returns the form and its conditions: "MPI_Igather + MPI_Wait, 0 elements".
    std::string call_in_words() const {
        return form + (conditions.empty() ? "" : ", " + conditions);
    }
};

/// The generated calls of an audit, or of `verify --check-calls`: how far the search has come, so
/// that another launch can go on after a crash. A later line replaces an earlier one. Since
/// version 2.1.
struct GeneratedCalls {
    std::uint64_t seed = 0;
    int ranks = 0;            ///< 0 in files of earlier versions
    std::uint64_t calls = 0;  ///< number of calls so far, which is the number of the next call
    int crashes = 0;          ///< number of launches that ended during a call
    double seconds = 0;       ///< spent by all launches
    /// Pairs of values of two properties: all pairs that valid calls have, and those so far.
    std::size_t valid_pairs = 0, covered_pairs = 0;
    std::vector<std::string> operations = {};  ///< MPI_Gather, ...
    std::vector<CallFinding> findings = {};
    /// A call that has crashed or hung, and that may not be the simplest one that does.
    std::optional<CallFinding> suspect = {};
    bool is_confirming = false;  ///< a launch tries the suspect
    /// The call of the fault that the suspect belongs to, which crashed or hung alone in a launch.
    std::optional<std::string> confirmed = {};
    /// Calls that have ended a launch, but not another launch that made no earlier call.
    std::vector<std::string> unconfirmed = {};
};

/// The place of a generated call in an Incident, where the id of a problem stands else.
inline constexpr const char* generated_calls_problem = "generated calls";

/// Describes the machine at the end of a session.
struct End {
    std::string ended;  ///< ISO 8601, UTC
    MachineAfter machine;
};

/// The measured part of an audit.
struct Audit {
    Header header;
    std::vector<ProblemRecord> problems;
    std::vector<End> ends;  ///< one for each session that was not killed
    std::vector<Incident> incidents;
    std::optional<GeneratedCalls> generated_calls = {};
    /// Ids of chosen problems that another one of the joined audits has not measured.
    std::vector<std::string> measured_alone = {};
    /// Returns the number of recorded problems, cut short or not, without the problems that the
    /// audit chose while it ran.
    std::size_t planned_and_measured() const;
    /// False for an audit that was interrupted.
    bool is_complete() const { return planned_and_measured() == header.planned_problems; }
};

/// Returns the problems of all audits, in their order.
inline auto problems_of(std::span<const Audit> audits) {
    return audits | std::views::transform(&Audit::problems) | std::views::join;
}

/// Adds a problem. Returns false, and adds nothing, if the audit has a problem of the same id that
/// was not cut short. Else returns true; of two problems with this id the audit keeps the one that
/// has measured more, or `problem` if both have measured equally many contestants.
bool add_problem(Audit& audit, ProblemRecord problem);

}  // namespace record

}  // namespace mpiaudit

#include "record/audit_members.h"  // each user of the types has their members, too
