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

/// Returns the time of the left side over the time of the right side, by what the rule compares;
/// infinite if the right side took no time.
double factor(const JudgedCheck& check);

/// Returns the time of the left side over the time of its remedy; without a remedy, factor(); 1 if
/// the evidence does not confirm a violation by another rule.
double severity(const JudgedCheck& check);

/// The times of an operation and of another way on the problem of a check, with their ratio.
struct ComparedTimes {
    std::string instead;  ///< contestant
    double takes_s = 0, instead_s = 0, ratio = 1;
};
/// Returns the times of a measured check: of its right side and of its remedy, as Remedy has them.
std::vector<ComparedTimes> compared_times(const Report& report, const JudgedCheck& check);

/// Returns true if the audit has checks of the library and none is violated or holds.
bool is_nothing_decided(const Report& report);

/// Returns false for several calls with parts of the data that put blocks into other places than
/// one call does: calls without displacements put the blocks of each part together.
bool leaves_blocks_in_place(const Way& way);

/// Returns true if a program may call this way in place of another way. Some forms only test
/// whether a library is consistent: second copies (" #2"), calls on other communicators, other
/// types for the same data, operators hidden in functions, several calls in a row. These forms are
/// measured and may accuse, but advice names the plain operation. A function that makes a
/// communicator has no replacement: a program keeps the communicator.
bool is_offered_as_replacement(const record::ContestantDescription& way);

/// The verdicts on one operation.
struct OperationSummary {
    std::string operation;  ///< MPI_Gather
    bool is_other_form;     ///< as Way::is_other_form()
    VerdictCounts counts;
    const JudgedCheck* worst = nullptr;  ///< the violated check with the largest severity(), if any
};

/// Returns a summary for each operation with verdicts: violated operations first, of these the
/// blocking operations, then by the worst ratio; operations without a violation in the order of the
/// report.
std::vector<OperationSummary> summaries_of_operations(const Report& report);

/// Returns the ranges of each operation and kind of blocks, the worst range first.
std::vector<ViolatedRange> ranges_of(const Report& report);

/// Returns a warning if the same barrier took another time around some problems than around most:
/// the machine had another pace, so what was found may be about the machine. Returns
/// nullopt if the pace stayed.
std::optional<std::string> warning_of_pace(std::span<const record::Audit> launches);

/// Returns "4 ranks on 2 cores" for the first host with fewer cores than ranks, else empty. On such
/// a host ranks wait for a core, and ratios say little about the library.
std::string ranks_without_cores(const record::Header& header);

/// Returns bytes per second of seconds per byte; 0 if these are unknown.
double rate_of(double beta);

/// Returns nothing if the audit has no cost model, and if ranks share cores.
std::optional<MessageTimes> message_times(const record::Header& header);

/// How late ranks leave MPI_Barrier.
struct ExitSkew {
    double skew_s;  ///< from the first exit to the last one, of ranks that enter together, seconds
    /// Another barrier lets the ranks out clearly closer together.
    bool is_late = false;
    double call_s = 0.0;                ///< median of a call of MPI_Barrier, seconds
    std::optional<double> best_s = {};  ///< skew_s of the best other barrier; none without one
    std::string best = {};              ///< its contestant
};
/// Returns nothing if the audit has not measured the exits of MPI_Barrier.
std::optional<ExitSkew> exit_skew_of(const Report& report);

/// MemoryLoss::when of persistent operations that are used once.
inline constexpr const char* at_free = "at each MPI_Request_free";

/// Returns the operations that lose memory on at least two problems (or on their only problem),
/// with the median over these problems; the largest loss first.
std::vector<MemoryLoss> memory_losses_of(const Report& report);

/// Returns the rows of the operations that lose most, at most 3, of which --algorithms can compare
/// algorithms of the library.
std::vector<const OverviewRow*> rows_with_choice(const Report& report);

/// Returns the operations of the rows as --algorithms takes them: "gather,ibcast".
std::string operations_of_rows(const Report& report, std::span<const OverviewRow* const> rows);

/// Returns the parts of the names of all contestants, each name once.
std::vector<ContestantName> contestant_names(const Report& report);

/// Returns why no round in the window was kept; nullopt if none was dropped.
std::optional<Reason> reason_without_rounds(const record::WindowRecord& window);

/// Returns warnings about rounds that were dropped because of the clocks, and problems that were
/// measured after a barrier instead.
std::vector<std::string> warnings_of_windows(std::span<const record::Audit> launches);

/// Returns the largest error of the clocks in these audits, in seconds, including the error at
/// their start.
std::optional<double> worst_clock_error_s(std::span<const record::Audit> launches);

}  // namespace mpiaudit
