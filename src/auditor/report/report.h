// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/verdict.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// The subject of a check. A verdict has an operation of the library, or a forced algorithm of the
/// library, on the left side. A remark has a reference algorithm of mpiaudit on the left side: it
/// accuses nobody, is counted apart and fails no gate.
enum class CheckKind { verdict, remark };
inline constexpr judge::Names<CheckKind, 2> kind_names{
    {{{CheckKind::verdict, "verdict"}, {CheckKind::remark, "remark"}}}};

using NameSet = std::set<std::string, std::less<>>;

/// Returns the names of the reference algorithms that come with mpiaudit. These are not native, but
/// neither are variants of the library's operations (MPI_Igather + MPI_Wait) and moves of data
/// within a rank. A simulation may have stand-ins with the prefix MPI_.
NameSet reference_names(const std::vector<record::Implementation>& implementations);

CheckKind kind_of(const record::ContestantDescription& left, const NameSet& references);

/// The judgement on the samples of both sides of a check, and the bounds for its evidence.
struct JudgedSamples {
    judge::Judgement judgement;
    double bound_violated = 0, bound_holds = 0;  ///< natural logarithms
    bool is_paired = true;                       ///< as judge::Rule::is_paired

    /// Returns false for ratios to a time of zero, which a coarse clock measures; a warning tells
    /// of such a clock.
    bool has_ratio() const {
        return std::isfinite(judgement.factor) && std::isfinite(judgement.ratio.median) &&
               std::isfinite(judgement.ratio.high);
    }
};

/// A check as one of several launches judges it alone.
struct JudgedLaunch {
    int launch = 0;  ///< place in Report::launches, counted from 1
    JudgedSamples samples;
};

/// The way to call instead of the left side of a violated check. The numbers come from rounds with
/// both sides, and from other samples than those that chose this way among all ways.
struct Remedy {
    std::string contestant;  ///< the fastest way to which guidelines lead
    double factor = 1;       ///< median ratio of the left side's time over this way's
    double saved_s = 0;      ///< seconds per call: left_s (1 - 1 / factor)
    double left_s = 0;       ///< median of the left side, seconds
    double instead_s = 0;    ///< median of this way, seconds
    /// The interval of the factor. Rows of the overview show the interval.
    std::optional<judge::MedianInterval> interval = {};
};

struct JudgedCheck {
    CheckKind kind = CheckKind::verdict;
    std::string guideline, problem;  ///< ids
    WayName left, right;             ///< names of contestants
    /// The layouts between which both sides and the remedy run. A name may stand for several
    /// contestants of a problem: for an allgather as it is, and for an allgather as a gather.
    std::string from, to;
    judge::Verdict verdict = judge::Verdict::skipped;
    std::optional<Reason> reason;  ///< why the check is skipped or undecided
    /// The left side is slower only because of the calls that ran before; the verdict is undecided.
    bool depends_on_order = false;
    /// of all launches that measured the check; none if skipped
    std::optional<JudgedSamples> samples;
    std::vector<JudgedLaunch> launches;  ///< empty if one launch measured the check
    bool launches_disagree = false;
    /// The check is violated by a rule that bounds no error, and the evidence does not confirm the
    /// violation. One disturbed sample may be the cause, so the check has no advice.
    bool lacks_evidence = false;
    std::optional<JudgedSamples> young_heap;  ///< --heap both, if the heap changes a side
    /// Only for violated verdicts.
    std::optional<Remedy> remedy;

    std::string reason_in_words() const { return reason ? in_words(*reason) : ""; }
    /// Returns true for a violated verdict. A remark is no violation.
    bool is_violation() const {
        return kind == CheckKind::verdict && verdict == judge::Verdict::violated;
    }
};

struct ReportedContestant : record::ContestantDescription {
    /// Statistics of the launches that measured all contestants of the problem, with equal weights,
    /// so that times of one problem can be compared. None if not measured.
    std::optional<judge::Summary> statistics;
};

struct ReportedProblem : record::MeasuredProblem {
    std::size_t rounds = 0;  ///< sum over all launches
    std::vector<ReportedContestant> contestants;
};

/// The library's choice of an algorithm beside its other algorithms (--algorithms).
struct Choice {
    struct Algorithm {
        std::string name;
        double median_s = 0;
    };
    std::string problem, operation;
    double median_s = 0;                ///< median of the library's choice, seconds
    std::size_t rank = 1;               ///< place of the choice: 1 if no algorithm is faster
    std::vector<Algorithm> algorithms;  ///< fastest first
};

/// A setting of the library that makes an operation faster. An audit with --algorithms has measured
/// the setting, and other launches have confirmed it. All numbers but the ranges are of one
/// problem.
struct FasterSetting {
    std::string operation;     ///< MPI_Gather, MPI_Igather + MPI_Wait
    std::string variables;     ///< as a shell takes them in front of a command
    std::string algorithm;     ///< the library's name
    std::string family;        ///< in the words of the literature
    double factor = 1;         ///< time of the library's choice over time of this algorithm
    double saved_s = 0;        ///< seconds per call
    std::size_t launches = 0;  ///< that measured the setting
    std::optional<std::int64_t> bytes;  ///< as OverviewRow::bytes; none without data
    /// Sizes at which the library's own choice is clearly faster, ascending.
    std::vector<std::int64_t> slower_at_bytes;
    /// The largest time of this algorithm over the library's own choice at these sizes; 0 without
    /// such sizes.
    double slower_by = 0;
};

/// One of several launches that were judged together.
struct ReportedLaunch {
    std::string started;
    std::uint64_t order_seed = 0;
    int checks = 1;  ///< the number of checks by which the launch divided alpha
    double elapsed_s = 0;
    MachineDescription machine;
    std::optional<record::Confirms> confirms;
};

/// The numbers of checks with each verdict.
struct VerdictCounts {
    std::size_t checks = 0, violated = 0, holds = 0, undecided = 0, skipped = 0;
    std::size_t decided() const { return violated + holds; }
    void add(judge::Verdict verdict);
};

/// The numbers of measured checks of the library on which the means of samples within Tukey's
/// fences, which papers compare, and the evidence disagree.
struct FilteredMeans {
    std::size_t checks = 0;         ///< measured checks
    std::size_t violated = 0;       ///< violated by the means
    std::size_t evidence_only = 0;  ///< violated by the evidence and not by the means
    std::size_t means_only = 0;     ///< violated by the means and not by the evidence
};

/// The base counts verdicts on the library.
struct ReportSummary : VerdictCounts {
    VerdictCounts remarks;  ///< counts of remarks
    /// The number of contestants that failed their verification, and of new faults of generated
    /// calls, plus one if the barrier of --sync is wrong.
    std::size_t wrong = 0;
    std::size_t samples = 0;                 ///< number of samples taken
    std::size_t fixed_protocol_samples = 0;  ///< the samples of 75 repetitions of every contestant
    FilteredMeans filtered_means;
    std::optional<std::size_t> launches_disagree;  ///< none for one launch
    /// The number of problems that not all audits have chosen, and that are left out; none if all
    /// audits have the same problems.
    std::optional<std::size_t> measured_alone;
};

inline bool is_between_same_layouts(const record::ContestantDescription& a,
                                    const record::ContestantDescription& b) {
    return a.from == b.from && a.to == b.to;
}

/// Returns the contestant that is the same way as `wanted`; null if there is none.
template <class Contestants>
auto* same_way_in(Contestants& contestants, const record::ContestantDescription& wanted) {
    const auto found = std::ranges::find_if(contestants, [&](const auto& each) {
        return each.name == wanted.name && is_between_same_layouts(each, wanted);
    });
    return found == contestants.end() ? nullptr : &*found;
}

/// Returns the contestant of a problem with this name that runs between the layouts of the check;
/// null if there is none. The problem may be another one than that of the check.
const ReportedContestant* contestant_of(const JudgedCheck& check, const std::string& name,
                                        const ReportedProblem& problem);

/// The time that an application could save on one of its problems by the fastest way that was
/// found. Times in all calls are means over the ranks of the application, in seconds.
struct Saving {
    std::string problem, collective;
    std::int64_t calls = 0;        ///< number of calls of one rank
    double recorded_s = 0;         ///< seconds in all calls, waiting included
    double library_s = 0;          ///< median of a call in the audit, seconds
    std::string instead = {};      ///< the contestant; empty if no way is faster
    double factor = 1;             ///< time of the library over time of the contestant
    double saved_s = 0;            ///< seconds in all calls
    double low_s = 0, high_s = 0;  ///< saved_s at the ends of the factor's interval
    std::size_t launches = 1;      ///< number of launches that found the saving
};

/// The measured problems of an application, largest saving first. Times are seconds.
struct Savings {
    double recorded_s = 0;  ///< seconds in all collectives of the application
    double audited_s = 0;   ///< seconds in the collectives that were measured
    double saved_s = 0, low_s = 0, high_s = 0;
    std::vector<Saving> problems;
};

/// Adjacent sizes at which an operation is violated with one kind of blocks. Problems are
/// identified by their ids.
struct ViolatedRange {
    std::string operation, distribution;
    std::string first, last;  ///< problems of the smallest and the largest size
    /// The next problems outside of the range, at which the operation holds or is violated far
    /// less; none if no such size was measured.
    std::optional<std::string> below, above;
    std::size_t sizes = 1;           ///< number of sizes measured in the range
    std::string guideline, problem;  ///< check of the worst violation
    double factor = 1;               ///< its severity()
    std::string instead;             ///< the contestant to call instead
    double saved_s = 0;              ///< the most that a call saves at any of the sizes, seconds
};

/// The kind of advice about a violation.
enum class AdviceKind {
    setting,       ///< set a variable of the library
    calls,         ///< make other calls of MPI
    communicator,  ///< keep a communicator that the program makes again and again
    report,        ///< no call of MPI helps: tell the library's developers
};
inline constexpr judge::Names<AdviceKind, 4> advice_kinds{
    {{{AdviceKind::setting, "setting"},
      {AdviceKind::calls, "calls"},
      {AdviceKind::communicator, "communicator"},
      {AdviceKind::report, "report"}}}};

/// Where a replacement is no good: on another problem of the audit, for the same operation between
/// the same layouts.
struct Caveat {
    bool is_wrong = false;         ///< its result was wrong; else it took longer than the operation
    std::string problem;           ///< id, of the worst problem of its distribution
    std::optional<double> factor;  ///< time of the replacement over that of the operation
};

/// A violated operation on the first screen, on the page and in the summaries for pipelines. All
/// numbers but the range are of one check on one problem, between the operation and one
/// replacement. Every printer shows these numbers, so a row has one ratio wherever it is read.
struct OverviewRow {
    /// A way between the layouts of the check. The times of the operation and of the replacement
    /// are takes_s and instead_s. Other ways stand in proportion to the operation, by the rounds
    /// that measured all ways.
    struct Way {
        std::string contestant;
        double time_s = 0;
    };
    /// The largest ratio of the operation over any way on any problem.
    struct Worst {
        double factor = 1;
        std::string problem, contestant;
        std::optional<std::int64_t> bytes;  ///< as OverviewRow::bytes
    };
    std::string operation;  ///< MPI_Gather, MPI_Igather + MPI_Wait
    std::string form;       ///< equal for operations in one form; empty for blocking operations
    bool is_other_form = false;      ///< the operation is not a blocking one
    std::string guideline, problem;  ///< ids of the check
    std::string contestant;          ///< the replacement; the faster way if no MPI call can replace
    AdviceKind kind = AdviceKind::report;
    std::optional<double> factor;  ///< time over that of the replacement; none without replacement
    std::optional<double> factor_low, factor_high;  ///< interval of the factor
    double takes_s = 0;                             ///< seconds of a call of the operation
    /// takes_s / factor: seconds of a call of the replacement. For a communicator, of the fastest
    /// other function that makes one. None if no other way was compared.
    std::optional<double> instead_s;
    double lost_s = 0;  ///< seconds that each call loses on the problem: takes_s - instead_s, or
                        ///< takes_s if no other way was compared
    std::vector<Caveat> caveats;  ///< where the replacement is no good, worst first
    /// Bytes per rank (bytes_of_rank()) of the problem, and the smallest and largest size at which
    /// the operation is violated against any way, with any blocks. None for operations without
    /// data.
    std::optional<std::int64_t> bytes, low_bytes, high_bytes;
    std::optional<Worst> worst;  ///< none without a ratio that the evidence confirms
    bool is_lowest = false, is_highest = false;  ///< no smaller, or larger, size was measured
    bool is_per_block = false;   ///< the bytes are those of one block, not of all blocks; true
                                 ///< without data
    bool is_clear = false;       ///< the first sentence of the report counts the operation
    bool lacks_program = false;  ///< `mpiaudit reproduce` cannot write a program of the row
    std::vector<Way> ways;       ///< the operation and the fastest other ways, fastest first
};

/// The parts of a contestant's name, for the tables and plots of analysis/, which parse no names.
struct ContestantName {
    std::string name;            ///< MPI_Gather_init[once](m)
    std::string operation;       ///< without sizes: MPI_Gather_init[once]
    std::string label;           ///< as tables print the name: MPI_Gatherv of MPI_Gatherv(m)
    std::string implementation;  ///< record::Implementation::name, if the name is one call of such
    std::string function;        ///< MPI_Gather; empty for several calls and unknown operations
    std::string start;           ///< "persistent once" of a function called as usual else
    /// "native" for one operation of the library, however it is called, "reference" for an
    /// algorithm of mpiaudit, else "composed".
    std::string kind;
    bool is_copy = false;  ///< a second copy, which measures the audit itself
};

/// Memory that an operation of the library allocates and never frees.
struct MemoryLoss {
    std::string operation;  ///< MPI_Gather_init[once]
    std::string function;   ///< the library's own name: MPIX_Gather_init
    std::string when;       ///< at each MPI_Request_free, at each MPI_Start, in each call
    double bytes = 0;       ///< each time; the median over the problems that measured it
};

/// An operation of the library that is usually fast, and of which some calls take far longer
/// (judge/tails.h), while the other ways have no such calls.
struct Tail {
    std::string operation;     ///< MPI_Bcast
    std::string contestant;    ///< MPI_Bcast(m)
    bool after_pause = false;  ///< the calls followed a pause of all ranks
    int calls = 0, long_calls = 0;
    int other_long_calls = 0;  ///< in as many calls of the other ways
    double usual_s = 0;  ///< median of the usual calls where most long calls were seen, seconds
    double long_s = 0;   ///< median of the long calls, seconds
    double share = 0;    ///< as judge::TailJudgement::share
    double log_e = 0;    ///< natural logarithm of the evidence
    std::string beside;  ///< the other way in most of the calls
};

/// The time of messages in one launch, and the speed of the memory of the first host.
struct MessageTimes {
    LinearModel model;
    std::optional<HostSpeed> speed = {};   ///< none in a simulation, and if the host has one rank
    std::size_t hosts = 1;                 ///< number of hosts
    std::optional<double> link_rate = {};  ///< nominal, in bytes per second (--link)
    bool are_slow = false;  ///< slower than shared memory, other load or the link explain
};

/// An audit as judged. Tables, conclusions and report.json are printed from a Report.
struct Report {
    /// Header of the first launch, with the rule of the report and the warnings of all launches.
    record::Header header;
    OptionValues judged_options;                ///< those of the audit, with the rule of the report
    std::optional<MachineAfter> machine_after;  ///< at the end of the first launch
    bool is_complete = false;
    std::vector<ReportedLaunch> launches;  ///< empty for one launch
    std::vector<ReportedProblem> problems;
    std::vector<Choice> choices;
    std::vector<JudgedCheck> checks;
    std::vector<ViolatedRange> ranges;  ///< worst first
    std::vector<OverviewRow> overview;  ///< in the order of the first screen; needs `ranges`
    /// Operations whose algorithms of the library another audit has compared (judge
    /// --settings-of), and the settings that this audit has found, largest saving first.
    std::vector<std::string> compared_operations;
    std::vector<FasterSetting> faster_settings;
    std::vector<MemoryLoss> memory_losses;    ///< largest loss first
    std::vector<Tail> tails;                  ///< those that take most of their time first
    std::vector<MessageTimes> message_times;  ///< one for each launch with such times
    double elapsed_s = 0;
    std::optional<Savings> savings;  ///< none if the audit is of no application
    /// The calls of the launch with the most pairs, with the faults of all launches.
    std::optional<record::GeneratedCalls> generated_calls;
    /// MPI_Barrier was wrong when it synchronised the ranks (--sync).
    std::optional<record::Incident> wrong_barrier;
    ReportSummary summary;
};

/// Returns null if no problem of the report has this id.
const ReportedProblem* find_problem(const Report& report, const std::string& id);

/// Judges all checks of an audit by `rule`. Alpha is divided by the number of planned checks.
Report make_report(const record::Audit& audit, const judge::Rule& rule);

/// Judges several launches of one audit together (record/samples_file.h). The report has the checks
/// and problems of the first launch, each judged over all launches that measured it.
Report make_report(std::span<const record::Audit> launches, judge::Rule rule);
/// Judges by the rule of the audit.
Report make_report(std::span<const record::Audit> launches);

/// Returns for each problem and operation that was measured with the library's own algorithms: the
/// median time of the library's choice and of each algorithm, fastest first, and the rank of the
/// choice among the algorithms.
std::vector<Choice> choices(const std::vector<ReportedProblem>& problems);

/// Takes the operations and the confirmed settings of an audit with --algorithms into a report.
void add_settings_of(const Report& algorithms, Report& report);

/// Returns what the application of the audit could save; nothing if the audit is of no application.
std::optional<Savings> savings_of(const Report& report);

/// Returns what the application would save by the right side of a check; nothing if the check was
/// not measured or is of no application.
std::optional<Saving> saving_by(const Report& report, const JudgedCheck& check);

}  // namespace mpiaudit
