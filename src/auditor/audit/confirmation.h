// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "audit/commands.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "record/samples_file.h"
#include "report/report.h"

namespace mpiaudit {

// `mpiaudit run --confirm FOLDER`: a fresh launch that measures again what an audit suspects.

/// What an audit suspects, and what it was made of.
struct Suspicions {
    record::Confirms confirms;
    /// Of the suspects that have one, in their order: problem and contestant.
    std::vector<std::pair<std::string, std::string>> remedies;
    /// Of an application with --launches, by problem: what it could save, most first.
    std::vector<std::pair<std::string, double>> worths;
    /// Problems of the suspects that the audit had chosen on the way.
    struct Chosen {
        std::string distribution;
        Count block_size, next;
        std::vector<std::string> guidelines;
    };
    std::vector<Chosen> chosen;
    OptionValues options;
    record::Audit audit;  ///< on rank 0 only
};

/// Reads the audit in options.confirm on rank 0 and says what is to be measured again: its violated
/// checks, and as a control as many others of the same problems that hold (5 to 30, as far as there
/// are any), drawn by the seed of the audit's order, so that a resumed confirmation draws the same.
/// With --launches what left_to_confirm() names, and 5 others. The audit's options become those of
/// `options`. Collective over MPI_COMM_WORLD, and the same on all ranks.
/// Throws UsageError when the folder holds no complete audit, or one with other ranks or of another
/// library.
Suspicions take_suspicions(RunOptions& options, int ranks, IsPath is_path);

/// On rank 0: throws UsageError when a file of guidelines or distributions has changed since the
/// audit. \param header that of the confirmation
void require_same_inputs(const Suspicions& suspicions, const record::Header& header);

/// Adds what was chosen on the way; leaves the checks that are suspects or controls, the
/// contestants that they need or that are the remedy of a suspect, and the problems that have any
/// check, those of an application by what they could save.
void keep_suspicions(Plan& plan, const std::vector<Guideline>& guidelines,
                     const Suspicions& suspicions);

/// On rank 0, after the measurement: what the audit and its confirmation say together.
Report joint_report(const Suspicions& suspicions, const record::Audit& confirmation);

/// A violation that another launch is to measure.
struct LeftToConfirm {
    record::CheckKey check;
    double worth_s = 0;  ///< what an application would save at least, over its calls

    bool operator==(const LeftToConfirm&) const = default;
};

/// The violations of an audit that can still be confirmed by `wanted` launches: fewer have measured
/// them, and none of these speaks against. Of an application's problems what saves most first, and
/// of each problem two of the settings, two of the paths and two of other ways: those that save
/// most in all. \param launches the audit, and the launches that confirm it so far
std::vector<LeftToConfirm> left_to_confirm(const Report& audit, const Report& launches, int wanted,
                                           IsPath is_path);

}  // namespace mpiaudit
