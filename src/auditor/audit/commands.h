// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/arrow.h"
#include "known_faults/known_faults.h"
#include "mpi/environment.h"
#include "options/option_table.h"
#include "options/options.h"
#include "options/reproduce_options.h"
#include "plan/inputs.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// A check of the library behind the measurements of an audit.
struct AfterMeasuring {
    /// What an audit lends to the check; alike on all ranks but for `keep`.
    struct Lent {
        const RunOptions& options;
        record::GeneratedCalls so_far;             ///< of earlier sessions
        std::optional<record::Incident> ended_by;  ///< a call that ended the last session
        /// Keeps the state for the report and for the next session; empty on ranks other than 0.
        std::function<void(const record::GeneratedCalls&)> keep;
    };
    bool (*is_wanted)(const RunOptions& options) = nullptr;
    /// Returns the signal that ended the check, or 0. Collective over audited_ranks().
    int (*run)(Lent lent) = nullptr;
};

/// Functions of other products (checker, loop, papers) that an audit uses if they are built. main
/// passes them.
struct OtherProducts {
    /// Reads the links between the ranks that --network names; returns null without --network.
    /// Collective.
    std::unique_ptr<const RankNetwork> (*read_network)(const std::string& name) = nullptr;
    /// Further lists of `mpiaudit list`, by name.
    std::vector<std::pair<std::string_view, void (*)()>> lists = {};

    // Of the checker: all null if it is not built.
    AfterMeasuring after_measuring = {};
    /// Throws std::invalid_argument "FILE:LINE: ..." if the file names what no generated call has.
    void (*check_known_faults)(const library_faults::File& file) = nullptr;
    /// `verify --check-calls` and `verify --call`: checks generated calls, and reports the simplest
    /// call of each fault.
    int (*verify_calls)(const RunOptions& options, const Environment& environment) = nullptr;
    /// Returns the C program of a generated call. Throws UsageError if the text is no call.
    /// \param found lines about the fault that the call has found
    std::string (*program_of_call)(const std::string& call, std::vector<std::string> found,
                                   const std::string& launcher) = nullptr;

    bool has_checker() const { return verify_calls != nullptr; }
    /// Throws UsageError about what was asked for, "--check-calls", if no product generates calls.
    void require_checker(std::string_view asked) const;
    /// Calls read_network. Throws UsageError if a network is named and no product reads networks.
    std::unique_ptr<const RankNetwork> network(const std::string& name) const;
};

/// Prints an entry of a list: its name, then its text. Folds the text on a terminal with an indent;
/// prints one line otherwise.
void say_entry(const std::string& name, const std::string& text);

struct Suspicions;
class Watchdog;

// Each command returns its exit code. Those that run on all ranks return the same one everywhere
// and throw UsageError on all ranks alike.

/// Audits audited_ranks().
/// \param suspicions of an earlier audit that this launch confirms; null if it confirms none
/// \param of_launch watches more ranks than those that audit; null: the audit has its own watchdog
int run_audit(const Command& command, const Environment& environment,
              const OtherProducts& other_products, const Suspicions* suspicions,
              Watchdog* of_launch);
/// `run --confirm`: measures the violations of another audit again.
int confirm_audit(const Command& command, const Environment& environment,
                  const OtherProducts& other_products, Watchdog* of_launch);
/// `verify`: checks the results of all forms of the collectives, or of generated calls.
int verify(const RunOptions& options, const Environment& environment,
           const OtherProducts& other_products);
/// `reproduce`: prints a C program that shows a violation without mpiaudit.
int reproduce(const ReproduceOptions& options, const OtherProducts& other_products);
/// `explain`: prints one row of the first screen with all that the audit knows about it.
int explain(const ExplainOptions& options);
int list(const ListOptions& options, const OtherProducts& other_products);
/// `judge`: judges the results of audits by another rule, and writes a new report.
int judge_again(const JudgeOptions& options);

/// Throws UsageError unless the launcher has started one MPI job, and not one for each task of a
/// Slurm step, with --ranks ranks and --ranks-per-node ranks on every node. Collective.
void check_launch(const LaunchOptions& options, const Environment& environment);

/// Returns whether this rank prints the errors that all ranks meet: rank 0, and among the jobs of
/// one rank each that a launcher with the wrong PMI starts, the first job alone.
bool speaks_for_all(const Environment& environment);

}  // namespace mpiaudit
