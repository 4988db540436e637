// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// What a check is a statement about. With an operation of the library or one of its own
/// algorithms, forced, on the left side: a verdict on the library. With a reference algorithm
/// there: a remark on that algorithm, which accuses nobody, is counted apart and fails no gate.
enum class CheckKind { verdict, remark };
inline constexpr judge::Names<CheckKind, 2> kind_names{
    {{{CheckKind::verdict, "verdict"}, {CheckKind::remark, "remark"}}}};

using Names = std::set<std::string, std::less<>>;

/// The algorithms that come with mpiaudit. Not native are also variants of the library's own
/// operations, as MPI_Igather + MPI_Wait, whose prefix only what stands for one of them in a
/// simulation may use, and moves of data within a rank.
Names reference_names(const std::vector<record::Implementation>& implementations);

CheckKind kind_of(const record::ContestantDescription& left, const Names& references);

/// What the samples of both sides of a check say, and the bounds that its evidence has to reach.
struct JudgedSamples {
    judge::Judgement judgement;
    double bound_violated = 0, bound_holds = 0;  ///< natural logarithms, as those of the evidence
    bool is_paired = true;                       ///< as judge::Rule::is_paired

    /// A ratio to a time of zero is infinite: a clock that coarse has been warned of.
    bool has_ratio() const {
        return std::isfinite(judgement.factor) && std::isfinite(judgement.ratio.median) &&
               std::isfinite(judgement.ratio.high);
    }
};

/// A check as one of several launches judges it alone.
struct JudgedLaunch {
    int launch = 0;  ///< its place in Report::launches, counted from 1
    JudgedSamples samples;
};

/// What the samples of the other synchronisation say (--sync both).
struct JudgedSecond {
    std::string synchronisation;
    JudgedSamples samples;
};

/// What to call instead of the left side of a violated check. The numbers are of other samples than
/// those by which this way was chosen among all ways, and of rounds that have both sides.
struct Remedy {
    std::string contestant;  ///< the fastest way to which guidelines lead
    double factor = 1;       ///< left over this way: the median of the ratio
    double saved_s = 0;      ///< per call: left_s (1 - 1 / factor)
    std::string code;        ///< a line to paste; empty where there is none
    double left_s = 0;       ///< medians of both sides: what is accused,
    double instead_s = 0;    ///< and this way
};

struct JudgedCheck {
    CheckKind kind = CheckKind::verdict;
    std::string guideline, problem;  ///< ids
    WayName left, right;             ///< names of contestants
    judge::Verdict verdict = judge::Verdict::skipped;
    std::string reason;  ///< why skipped or undecided, else empty
    /// The left side is slower only because of the calls that ran before; the verdict is undecided.
    bool depends_on_order = false;
    std::optional<JudgedSamples> samples;  ///< none when skipped; of all launches that measured it
    std::vector<JudgedLaunch> launches;    ///< where several did
    bool launches_disagree = false;
    /// Violated by a rule that bounds no error, and the evidence does not confirm it: one disturbed
    /// sample may be all that is wrong, so its ratio is no advice.
    bool lacks_evidence = false;
    std::optional<JudgedSecond> second;
    bool synchronisations_disagree = false;
    std::optional<JudgedSamples> young_heap;  ///< --heap both, where it changes one of the sides
    /// Only of violated verdicts, where one was found.
    std::optional<Remedy> remedy;
    std::string advice, reproduce;  ///< only when violated; there may be no advice

    /// Of the library: a remark is none.
    bool is_violation() const {
        return kind == CheckKind::verdict && verdict == judge::Verdict::violated;
    }
};

struct ReportedContestant : record::ContestantDescription {
    /// None when not measured. Of the launches that measured all contestants of the problem, each
    /// with the same weight, so that times of one problem can be compared.
    std::optional<judge::Summary> statistics;
};

struct ReportedProblem : record::MeasuredProblem {
    std::size_t rounds = 0;  ///< in all launches
    std::vector<ReportedContestant> contestants;
};

/// The library's own choice of an algorithm beside the others that it has (--algorithms).
struct Choice {
    struct Algorithm {
        std::string name;
        double median_s = 0;
    };
    std::string problem, operation;
    double median_s = 0;                ///< of the choice
    std::size_t rank = 1;               ///< 1 when no algorithm is faster than the choice
    std::vector<Algorithm> algorithms;  ///< the fastest first
};

/// One of several launches that were judged together.
struct ReportedLaunch {
    std::string started;
    std::uint64_t order_seed = 0;
    int checks = 1;  ///< over how many checks it divided alpha
    double elapsed_s = 0;
    MachineDescription machine;
    std::optional<record::Confirms> confirms;
};

/// Checks by what they found.
struct VerdictCounts {
    std::size_t checks = 0, violated = 0, holds = 0, undecided = 0, skipped = 0;
    std::size_t decided() const { return violated + holds; }
    void add(judge::Verdict verdict);
};

/// How often the means of samples within Tukey's fences, compared as in papers, say something else
/// than the evidence: of the checks of the library that were measured.
struct FilteredMeans {
    std::size_t checks = 0;         ///< that were measured
    std::size_t violated = 0;       ///< by the means
    std::size_t evidence_only = 0;  ///< violated by the evidence and not by the means
    std::size_t means_only = 0;     ///< violated by the means and not by the evidence
};

/// The counts are those of verdicts on the library.
struct ReportSummary : VerdictCounts {
    VerdictCounts remarks;  ///< on reference algorithms
    /// Contestants that failed their verification, and the barrier of --sync.
    std::size_t wrong = 0;
    std::size_t samples = 0;                 ///< taken
    std::size_t fixed_protocol_samples = 0;  ///< what 75 repetitions of every contestant would be
    FilteredMeans filtered_means;
    std::optional<std::size_t> launches_disagree;  ///< where there are several
    /// Problems that not all audits have chosen, and that are left out; none where all have.
    std::optional<std::size_t> measured_alone;
    std::optional<std::size_t> synchronisations_disagree;  ///< where there are both
};

inline bool is_between_same_layouts(const record::ContestantDescription& a,
                                    const record::ContestantDescription& b) {
    return a.from == b.from && a.to == b.to;
}

/// What an application could save on one of its problems, by the fastest way that was found. Times
/// in all calls are means over the ranks of the application.
struct Saving {
    std::string problem, collective;
    std::int64_t calls = 0;        ///< of one rank
    double recorded_s = 0;         ///< in all calls, waiting included
    double library_s = 0;          ///< median of a call in the audit
    std::string instead = {};      ///< the contestant; empty where nothing faster was found
    double factor = 1;             ///< times as long as it the library takes
    double saved_s = 0;            ///< in all calls,
    double low_s = 0, high_s = 0;  ///< with the interval of the factor
    std::size_t launches = 1;      ///< that have found it
};

/// The problems of an application that were measured, what saves most first.
struct Savings {
    double recorded_s = 0;  ///< in all collectives of the application,
    double audited_s = 0;   ///< and in those that were measured
    double saved_s = 0, low_s = 0, high_s = 0;
    std::string in_words;  ///< the sum as a sentence
    std::vector<Saving> problems;
};

/// Sizes next to each other at which an operation is violated with one kind of blocks. Problems by
/// their ids.
struct ViolatedRange {
    std::string operation, distribution;
    std::string first, last;  ///< the smallest and the largest of them
    /// The next ones outside, where it holds or is violated far less; none where none was measured.
    std::optional<std::string> below, above;
    std::size_t sizes = 1;           ///< that were measured in it
    std::string guideline, problem;  ///< of the worst violation,
    double factor = 1;    ///< how many times as long as what is to be called instead it took,
    std::string instead;  ///< and the name of that
    double saved_s = 0;   ///< by that per call, the most of all its sizes
};

/// What a user can do about a violation.
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

/// A violated operation on the first screen, on the page and in the summaries for pipelines. All
/// numbers but the range are of one check on one problem, between the operation and one
/// replacement.
struct OverviewRow {
    /// A way between the layouts of the check, with the time that the rule compares.
    struct Way {
        std::string contestant;
        double time_s = 0;
    };
    std::string operation;           ///< MPI_Gather, MPI_Igather + MPI_Wait
    bool is_other_form = false;      ///< the operation is not a blocking one
    std::string guideline, problem;  ///< ids of the check
    std::string contestant;          ///< the replacement; the faster way if no MPI call can replace
    AdviceKind kind = AdviceKind::report;
    std::string instead;  ///< the advice in a few words
    std::string code;     ///< a line to paste; empty if the advice has no code
    std::string data;     ///< blocks: spikes; MPI_DOUBLE, MPI_MAX, root 0; empty for usual data
    std::optional<double> factor;  ///< time over that of the replacement; none without replacement
    double lost_s = 0;             ///< seconds that each call loses on the problem
    /// Bytes per rank (bytes_of_rank()) of the problem, and of the smallest and largest size around
    /// the problem at which the pair is violated. None for operations without data.
    std::optional<std::int64_t> bytes, low_bytes, high_bytes;
    bool is_lowest = false, is_highest = false;  ///< no smaller, or larger, size was measured
    bool is_per_block = false;  ///< the bytes are those of one block, not of all blocks; true
                                ///< without data
    bool is_clear = false;      ///< the first sentence of the report counts the operation
    /// The row in words: 1.50 times as long as MPI_Gatherv(m) at 4 KiB; a call loses 2.1 µs.
    std::string sentence;
    std::vector<std::string> ranges;  ///< a sentence for each ViolatedRange of the operation
    std::vector<Way> ways;            ///< the operation and the fastest other ways, fastest first
};

/// The parts of a contestant's name, for the tables and plots of analysis/, which parse no names.
struct ContestantName {
    std::string name;            ///< MPI_Gather_init[once](m)
    std::string operation;       ///< without sizes: MPI_Gather_init[once]
    std::string label;           ///< as tables print the name: MPI_Gatherv of MPI_Gatherv(m)
    std::string implementation;  ///< record::Implementation::name, if the name is one call of such
    std::string function;        ///< MPI_Gather; empty for several calls and unknown operations
    std::string form;            ///< "_init[once]"; empty for the blocking operation
    bool is_copy = false;        ///< a second copy, which measures the audit itself
};

/// Memory that an operation of the library allocates and never frees.
struct MemoryLoss {
    std::string operation;  ///< MPI_Gather_init[once]
    std::string function;   ///< as the library has it: MPIX_Gather_init
    std::string when;       ///< at each MPI_Request_free, at each MPI_Start, in each call
    double bytes = 0;       ///< each time; the median over the problems that measured it
};

/// What messages between ranks of a host take in a launch, and the memory that they share.
struct MessageTimes {
    LinearModel model;
    HostSpeed speed;
    bool are_slow = false;  ///< by more than shared memory and other load explain
};

/// An audit as judged. Tables, conclusions and report.json are printed from a Report.
struct Report {
    /// Of the first launch; the rule is that of the report, the warnings are those of all launches.
    record::Header header;
    std::optional<MachineAfter> machine_after;  ///< when the first launch had ended
    bool is_complete = false;
    std::vector<ReportedLaunch> launches;  ///< none when there is one
    std::vector<ReportedProblem> problems;
    std::vector<Choice> choices;
    std::vector<JudgedCheck> checks;
    std::vector<ViolatedRange> ranges;        ///< the worst first
    std::vector<OverviewRow> overview;        ///< in the order of the first screen; needs `ranges`
    std::vector<MemoryLoss> memory_losses;    ///< most first
    std::vector<MessageTimes> message_times;  ///< of each launch that has them
    double elapsed_s = 0;
    std::optional<Savings> savings;  ///< of an application's problems
    /// MPI_Barrier was wrong where it brought the ranks together (--sync).
    std::optional<record::Incident> wrong_barrier;
    ReportSummary summary;
};

/// Nothing when no problem of the report has this id.
const ReportedProblem* find_problem(const Report& report, const std::string& id);

/// Judges all checks of an audit by `rule`. The number of checks that alpha is divided by is the
/// one that the audit planned.
Report make_report(const record::Audit& audit, const judge::Rule& rule);

/// The same for several launches of one audit that belong together (record/samples_file.h): the
/// checks and problems of the first one, each judged over all launches that measured it.
Report make_report(std::span<const record::Audit> launches, judge::Rule rule);
/// As the audit was judged.
Report make_report(std::span<const record::Audit> launches);

/// Where problems were solved with the library's own algorithms too: for each problem and operation
/// the median time of the library's choice and of each algorithm, the fastest first, and the rank
/// of the choice among them.
std::vector<Choice> choices(const std::vector<ReportedProblem>& problems);

/// What a reader has to know about verdicts by a rule that bounds no error (--judge averages,
/// minima, intervals, pgmpi): what can make a violation, and how many violations the minima and the
/// evidence confirm. Empty for verdicts by evidence, and where nothing is violated.
std::string caveat_of_rule(const Report& report);

/// What the application of the audit could save; nothing when the audit is of none.
std::optional<Savings> savings_of(const Report& report);

/// What the right side of a check would save the application in place of the call; nothing when the
/// check was not measured, or is of no application.
std::optional<Saving> saving_by(const Report& report, const JudgedCheck& check);

/// The report as the text of a file that analysis/report.schema.json describes.
std::string report_json(const Report& report);

/// Writes that, see replace_file().
void write_report(const Report& report, const std::string& path);

/// The options that the commands of an audit repeat. Reading the options takes longer than judging
/// a check, so the words are kept.
class RepeatedOptions {
  public:
    explicit RepeatedOptions(const record::Header& header) : header_{header} {}

    /// Words for a shell with a blank in front: first flags and lists, then single values.
    struct Words {
        std::string flags_and_lists, values;
    };
    /// \param blocks block_size_options(), whose options are not given twice
    const Words& beside(const std::string& blocks);

  private:
    const record::Header& header_;
    std::map<std::vector<std::string>, Words> known_;  ///< by the options that are left out
};

/// The command that measures one check of an audit again.
std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem, RepeatedOptions& options);
std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem);

/// What starts a command of mpiaudit ("verify") on the system of the audit: settings of the MPI
/// library, launcher and program.
std::string start_of_command(const record::Header& header, std::string_view command);

using Variables = std::vector<std::pair<std::string, std::string>>;  ///< names and values

/// The environment variables of an audit that steer its MPI library, without those that the
/// launcher sets itself. Variables with names that no shell accepts are left out.
Variables library_settings(const record::Header& header);

/// The words that start the ranks: the launcher on record, else mpirun with the hosts of the audit.
CommandLine launcher_of(const record::Header& header);

/// The settings of the MPI library and the launcher of an audit, as a shell needs them.
std::string start_of_ranks(const record::Header& header);

/// The operations that a path calls, without free views and moves within a rank, which have no
/// names of their own.
std::vector<std::string> called_operations(const record::ContestantDescription& contestant);

/// What verifies again a contestant that is wrong.
std::string verify_command(const record::Header& header,
                           const record::ContestantDescription& contestant,
                           const record::ProblemDescription& problem);

}  // namespace mpiaudit
