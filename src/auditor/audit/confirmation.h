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

// `mpiaudit run --confirm FOLDER`: a new launch measures the violations of an audit again.

/// The violations of an audit that a confirmation measures again, and the options of the audit.
struct Suspicions {
    record::Confirms confirms;
    /// Problem and contestant of the suspects that have a remedy, in the order of suspects.
    std::vector<std::pair<std::string, std::string>> remedies;
    /// Problems of an application and the seconds that they could save, most first; only with
    /// --launches.
    std::vector<std::pair<std::string, double>> worths;
    /// The problems of suspects that the audit chose while it ran.
    struct Chosen {
        std::string distribution;
        Count block_size, next;
        std::vector<std::string> guidelines;
    };
    std::vector<Chosen> chosen;
    OptionValues options, default_options;
    record::Audit audit;  ///< on rank 0 only
};

/// Reads the audit in options.confirm on rank 0 and returns its suspects, the violated checks, with
/// controls: as many checks of the same problems that hold, 5 to 30, drawn by the order seed of the
/// audit, so that a resumed confirmation draws the same controls. With --launches the suspects are
/// those of left_to_confirm(), with 5 controls. Sets the options of the audit in `options`.
/// Collective over audited_ranks(); returns the same on all ranks. Throws UsageError if the folder
/// has no complete audit, or an audit of other ranks or of another library.
Suspicions take_suspicions(RunOptions& options, int ranks);

/// Throws UsageError, on rank 0, if a file of guidelines or distributions has changed since the
/// audit. \param header of the confirmation
void require_same_inputs(const Suspicions& suspicions, const record::Header& header);

/// Adds the chosen problems to the plan. Keeps the checks that are suspects or controls, their
/// sides, the remedies of suspects, and the problems with such checks. Orders the problems of an
/// application by the seconds that they could save.
void keep_suspicions(Plan& plan, const std::vector<Guideline>& guidelines,
                     const Suspicions& suspicions);

/// Returns the joint report of the audit and its confirmation, on rank 0.
Report joint_report(const Suspicions& suspicions, const record::Audit& confirmation);

/// A violation that one more launch has to measure.
struct LeftToConfirm {
    record::CheckKey check;
    double worth_s = 0;  ///< seconds that an application would save at least, over its calls

    bool operator==(const LeftToConfirm&) const = default;
};

/// Returns the violations of an audit that `wanted` launches can still confirm: fewer launches have
/// measured them, and no launch speaks against them. Returns those of an application in the order
/// of savings, and for each problem two settings and two other ways: those that save
/// most in the whole application. \param launches the audit and the launches that confirm it so far
std::vector<LeftToConfirm> left_to_confirm(const Report& audit, const Report& launches, int wanted);

}  // namespace mpiaudit
