// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "options/options.h"
#include "report/report.h"
#include "report/wrong_results.h"

namespace mpiaudit {

/// The properties that agree if two audits have the same problem: distribution, sizes, ranks, root,
/// element and operator.
using ProblemIdentity = std::vector<std::string>;
ProblemIdentity identity_of(const record::ProblemDescription& problem);

/// Medians of the library's operations on one problem, in seconds.
using OperationTimes = std::map<std::string, double>;
OperationTimes operation_times(const ReportedProblem& problem);
using NativeTimes = std::map<ProblemIdentity, OperationTimes>;
/// Returns the times of all problems; two problems with one identity share an entry.
NativeTimes native_times(const Report& report);

/// An earlier audit with which a gate compares.
struct Baseline {
    NativeTimes times;
    std::set<std::string> wrong_forms;  ///< as WrongForm::form
};
/// Reads a baseline. Throws UsageError if there is no report.
/// \param path a report.json, or a folder with a report.json
Baseline read_baseline(const std::string& path);
/// Adds the median of a contestant whose name is an MPI function on all data. Two copies of one
/// operation count as their geometric mean.
void add_time(OperationTimes& times, const Way& way, double median_s);

/// Times of two launches of one library differ by up to this factor (docs/method.md).
inline constexpr double least_change = 1.25;

/// The operations that became slower or faster between two launches (docs/method.md, "Before and
/// after"). Times of two launches of one library differ by up to a quarter.
struct BeforeAfter {
    struct Change {
        std::string operation;
        double ratio;
    };
    std::vector<Change> changes;       ///< the largest first
    double pace = 0;                   ///< logarithm of the ratio of all operations together
    std::vector<std::string> missing;  ///< operations that only the first launch measured
    std::size_t common = 0;  ///< operations that both launches measured on a common problem

    bool is_slower(const Way& way) const;
    bool has_slower() const;
};
/// Compares the operations on the problems that both have. Without a common problem, `changes` is
/// empty.
BeforeAfter before_after(const NativeTimes& before, const NativeTimes& after);
/// The violations of a report by the condition of --fail-on, with the ratio that the first screen
/// would show (pair_of()), and the operations that became slower than in the baseline. Remarks do
/// not count.
struct GateOutcome {
    std::vector<const JudgedCheck*> failing;
    std::vector<const JudgedCheck*> tolerated;  ///< violations below the condition
    /// violations of operations that are no slower than in the baseline
    std::vector<const JudgedCheck*> excused;
    /// violations of functions that make communicators, unless the condition counts these
    std::vector<const JudgedCheck*> communicators;
    std::optional<BeforeAfter> beside_baseline;
    bool has_failed = false;               ///< violations or slower operations failed the gate
    std::vector<WrongForm> wrong;          ///< forms that fail whatever the condition says
    std::vector<WrongForm> excused_wrong;  ///< forms that are wrong in the baseline, too
};

/// Applies --fail-on and --baseline. Throws UsageError if the baseline cannot be read or has no
/// problem of the report.
GateOutcome outcome_of_gate(const Report& report, const GateOptions& options);

/// Returns the ratio of a violation for the condition: of its pair, and of the check itself if the
/// evidence does not confirm the violation or if the advice is to keep a communicator.
double gated_ratio(const Report& report, const JudgedCheck& check);

}  // namespace mpiaudit
