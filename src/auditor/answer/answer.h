// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The sentences about a report. Nothing here knows widths, colours or formats.
#include <optional>
#include <string>
#include <vector>

#include "code/paste.h"
#include "report/findings.h"
#include "report/gate.h"
#include "report/report.h"
#include "report/wrong_results.h"

namespace mpiaudit {

/// Returns the words behind the audited system: ", 7 launches" or ", single launch"; empty in a
/// simulation.
std::string launches_of(const Report& report);

/// Returns the answer of the audit in one sentence.
std::string headline(const Report& report);

/// Returns a sentence about how many problems were measured, for an audit that is not complete.
std::string incomplete_in_words(const Report& report);

/// Returns library, ranks, nodes and unusual conditions: "Open MPI v4.1.4, 8 ranks on 2 nodes,
/// --buffers cold".
std::string audited_system(const Report& report);

/// Returns a problem with its size: "two-blocks/b=1000 (7.81 KiB)".
std::string place_of(const Report& report, const std::string& problem);

/// The time of messages between and within hosts beside the speed of memory and link, in words.
struct Messages {
    std::string sentence;
    /// Messages are slow in several launches, and in most. All operations are then slow, and no
    /// guideline shows this, since both of its sides use messages.
    bool are_slow;
};
/// Returns nothing if no launch has times of messages.
std::optional<Messages> messages_in_words(const Report& report);

/// Returns a sentence for each FasterSetting, or one that there is none; empty if no audit has
/// compared the library's own algorithms.
std::vector<std::string> faster_settings_in_words(const Report& report);

/// Returns how far the verdicts can be trusted, by the rule of the audit.
std::string assurance_in_words(const Report& report);

/// Returns a sentence about the checks of reference algorithms; empty without such checks.
std::string remarks_in_words(const Report& report);

/// Returns a sentence about how often means within Tukey's fences, which papers compare, disagree
/// with the evidence; empty if no check was measured.
std::string filtered_means_in_words(const Report& report);

/// Returns the sentences of the page beside the overview: the distance to the lower bound of the
/// cost model, first calls (--heap both), launches that disagree, operations without a violation,
/// and problems that were left out.
std::vector<std::string> other_findings(const Report& report);

/// Returns a sentence about the call that takes most memory beside its data; nullopt if no call
/// takes much.
std::optional<std::string> most_memory_taken(const Report& report);

/// Returns the threads beside the main thread of each rank and where they may run; empty if there
/// are none.
std::string other_threads_in_words(const MachineDescription& machine);

/// Returns how many problems some of several independent audits did not measure; empty if there is
/// one audit.
std::string measured_alone_in_words(const Report& report);

/// Returns how many checks are violated, how many of them every launch confirms, how many are
/// violated in some launches only, and what the controls of confirmations say. Empty if no launch
/// violates a check.
std::string violations_in_words(const Report& report);

/// Returns what an application could save in all, its largest savings, and the problems that were
/// not audited, each in a sentence; nothing if the audit is of no application.
std::vector<std::string> savings_in_words(const Report& report);

/// Returns how many problems were left out for each reason, longest time first, with the command
/// that audits them if there is one.
std::string left_out_in_words(const application::Selection& selection);
/// Returns a sentence for each form that was not tested because this version of the library is
/// known to fail in it.
std::vector<std::string> untested_forms(const Report& report);

/// Returns a sentence about the known faults that generated calls and the audit have found; empty
/// if there are none.
std::string known_faults_in_words(const Report& report);

/// Returns "Checked 4000 generated calls of the library in 5.0 s, with 15000 of 17806 pairs of
/// properties; --check-calls 10s has all pairs", where the time is an estimate from above. Returns
/// an empty text if the audit has generated no calls.
std::string generated_calls_in_words(const Report& report);

/// Returns a caveat about verdicts by a rule that bounds no error (--judge averages, minima,
/// intervals, pgmpi): the possible cause of a violation, and how many violations the minima and the
/// evidence confirm. Empty for verdicts by evidence and without violations.
std::string caveat_of_rule(const Report& report);

/// Returns "MPI_Bcast is 1.50 times slower; no change was found in the other 3 operations".
std::string changes_in_words(const BeforeAfter& found);
/// Returns "The baseline is A, this audit B: MPI_Bcast is 1.50 times slower".
std::string in_words(const BeforeAfter& found);

/// Returns "MPI_Gather(m) gives a wrong result on same/b=10: rank 0 ...".
std::string in_words(const WrongForm& form);
/// Returns the sentence of the first form, and how many other forms there are.
std::string in_words(const WrongOperation& operation);
/// Returns the command that shows the fault again.
std::string command_of(const Report& report, const WrongForm& form);

/// Returns "MPI_Bcast is usually fast (2 us), but 1 in 50 calls takes 10 ms; ...".
std::string in_words(const Tail& tail);
/// Returns everything but the variables: "MPI_Gather 1.50 times as fast at 4 KiB: binomial".
std::string in_words(const FasterSetting& setting);
/// Returns the sum of the savings.
std::string in_words(const Savings& savings);
std::string in_words(const ExitSkew& skew);

/// A row of the overview in words.
struct RowInWords {
    std::string sentence;  ///< 1.50 times as long as MPI_Gatherv(m) at 4 KiB; a call loses 2.1 µs
    std::string instead;   ///< the advice in a few words
    std::string cure;      ///< the calls of `instead` alone; empty if the advice is not to call
    std::string needs;     ///< what the code to paste needs; may be empty
    std::string code;      ///< to paste; empty if the advice has no code
    std::string data;      ///< blocks: spikes; MPI_DOUBLE, MPI_MAX, root 0; empty for usual data
    std::string caveat;    ///< the caveats; empty without caveats
    std::vector<std::string> ranges;  ///< a sentence for each ViolatedRange of the operation
};
/// Returns the rows of the report, in their order.
std::vector<RowInWords> rows_in_words(const Report& report);

/// What a violated check says beside its numbers.
struct CheckInWords {
    /// Of the guideline, if its right side is the remedy; may be empty. A program keeps a
    /// communicator instead of making it again.
    std::string advice;
    std::string reproduce;  ///< the command that measures the check again
    std::string code;    ///< C to paste in place of the left side; empty without a remedy or code
    std::string caveat;  ///< where the remedy is no good; may be empty
};
/// Returns the words of all checks, in their order; empty words for checks that are not violated.
std::vector<CheckInWords> checks_in_words(const Report& report);
/// The rows and the checks of a report in words.
class ReportInWords {
  public:
    explicit ReportInWords(const Report& report)
        : report_{report}, rows_{rows_in_words(report)}, checks_{checks_in_words(report)} {}

    const Report& report() const { return report_; }
    /// \param row of the report
    const RowInWords& of(const OverviewRow& row) const {
        return rows_.at(static_cast<std::size_t>(&row - report_.overview.data()));
    }
    /// \param check of the report
    const CheckInWords& of(const JudgedCheck& check) const {
        return checks_.at(static_cast<std::size_t>(&check - report_.checks.data()));
    }

  private:
    const Report& report_;
    std::vector<RowInWords> rows_;
    std::vector<CheckInWords> checks_;
};

/// Returns the command that measures a check again, by the rule of the report.
std::string reproduce_command(const Report& report, const JudgedCheck& check);

}  // namespace mpiaudit
