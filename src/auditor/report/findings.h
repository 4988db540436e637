// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "operations/operations.h"
#include "report/report.h"

namespace mpiaudit {

/// How many times as long as its right side the left side of a check took, by what the rule
/// compares; infinite where the right side took no time.
double factor(const JudgedCheck& check);

/// How many times as long as what is to be called instead it took; where nothing is advised, as
/// its right side; 1 where the evidence does not confirm a violation by another rule.
double severity(const JudgedCheck& check);

/// ", 7 launches", ", single launch" behind the audited system; empty in a simulation.
std::string launches_of(const Report& report);

/// The answer in one sentence.
std::string headline(const Report& report);

/// Whether the library got no answer at all: checks, and none that is violated or holds. An audit
/// of nothing but reference algorithms is decided when one of its remarks is.
bool is_nothing_decided(const Report& report);

/// How many problems an audit that is not complete has measured, as a sentence.
std::string incomplete_in_words(const Report& report);

/// What was audited, and under which unusual conditions: Open MPI v4.1.4, 8 ranks on 2 nodes,
/// --buffers cold.
std::string audited_system(const Report& report);

/// The problem of a check with its size: two-blocks/b=1000 (7.81 KiB).
std::string place_of(const Report& report, const std::string& problem);

/// MPI_Scatter + MPI_Allgather of MPI_Scatter(m) + MPI_Allgather(m).
std::string operation_on_left(const std::string& left);

/// What makes an operation on a left side another than the blocking one: "I", "_init", "[in
/// place]"; nothing of the blocking one itself, and of what is no operation of MPI. Functions that
/// make communicators are called once: they count as one more form.
std::string form_of(const std::string& operation);
/// MPI_Gather of any of its forms, as MPI_Igather + MPI_Wait; null for what is no operation of MPI.
const MpiOperation* blocking_operation(const std::string& operation);
bool makes_communicator(const std::string& operation);

/// Whether a program may call this way in place of another one. Some forms only test whether a
/// library is consistent: second copies (" #2"), calls on other communicators, descriptions of the
/// data by other types, operators hidden in functions, several calls in a row. A form of a list
/// here is measured and may accuse, but the advice is the plain operation. What makes a
/// communicator has no replacement: a program keeps the communicator.
bool is_offered_as_replacement(const record::ContestantDescription& way);

/// The verdicts on one operation.
struct OperationSummary {
    std::string operation;  ///< MPI_Gather
    bool is_other_form;     ///< as Way::is_other_form()
    VerdictCounts counts;
    const JudgedCheck* worst = nullptr;  ///< the violated check with the largest severity(), if any
    bool is_other_form() const { return !form_of(operation).empty(); }
};

/// Verdicts only; violated ones first, of these the blocking operations, then the worst ratio;
/// those without a violation in the order of the report.
std::vector<OperationSummary> summaries_of_operations(const Report& report);

/// The ranges of each operation and kind of blocks, the worst first.
std::vector<ViolatedRange> ranges_of(const Report& report);

/// Where the same barrier took another time around some problems than around most: the machine was
/// another one then, and so may be what was found of the library.
std::optional<std::string> warning_of_pace(std::span<const record::Audit> launches);

/// "4 ranks on 2 cores" of the first host with fewer cores than ranks; empty where there is none.
/// Ratios then say little about the library, since ranks wait for a turn.
std::string ranks_without_cores(const record::Header& header);

/// Nothing where several hosts are audited, where ranks share cores, and in a simulation.
std::optional<MessageTimes> message_times(const record::Header& header);

/// What a message takes between ranks of one host beside the memory that they share.
struct Messages {
    std::string sentence;
    /// In several launches, and most: then all operations are slow, which no guideline can see, as
    /// both of its sides pay.
    bool are_slow;
};
/// Nothing where no launch of the report has such times.
std::optional<Messages> messages_within_host(const Report& report);

/// When persistent operations that are used once lose memory.
inline constexpr const char* at_free = "at each MPI_Request_free";

/// The operations that lose memory on two problems at least (on their only one, if they have one),
/// with the median over these problems; most first.
std::vector<MemoryLoss> memory_losses_of(const Report& report);

/// How far the verdicts can be trusted by the rule of the audit.
std::string assurance_in_words(const Report& report);

/// What the checks of reference algorithms found, as a sentence; empty without such checks.
std::string remarks_in_words(const Report& report);

/// Where means within Tukey's fences, which papers compare, say something else than the evidence.
/// Empty if no check was measured.
std::string filtered_means_in_words(const Report& report);

/// The parts of the names of all contestants, each name once.
std::vector<ContestantName> contestant_names(const Report& report);

/// What the page says beside the overview, a sentence each: the distance to the cost model's lower
/// bound, first calls (--heap both), launches that disagree, the operations without a violation,
/// and problems that were left out.
std::vector<std::string> other_findings(const Report& report);

/// Which call takes most memory beside its data, if any takes much, as a sentence.
std::optional<std::string> most_memory_taken(const Report& report);

/// The threads beside the main thread of each rank, and where they may run; empty where no rank has
/// one.
std::string other_threads_in_words(const MachineDescription& machine);

// What the starts by the global clock (--sync global, both, --arrivals) were worth.

/// Why no round in the window was kept; empty when none was dropped.
std::string reason_without_rounds(const record::WindowRecord& window);

/// Where rounds were dropped because of the clocks, or a barrier had to do.
std::vector<std::string> warnings_of_windows(std::span<const record::Audit> launches);

/// The largest error of the clocks that was seen in these audits, at their start included; seconds.
std::optional<double> worst_clock_error_s(std::span<const record::Audit> launches);

}  // namespace mpiaudit
