// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/plan.h"
#include "record/samples_file.h"

namespace mpiaudit {

// `mpiaudit run --confirm FOLDER`: a fresh launch that measures again what an audit suspects.

/// On rank 0: reads the audit in options.confirm and says what is to be measured again: its
/// violated checks, and as a control as many others that were decided (at least 5, as far as there
/// are any), drawn by the seed of the audit's order, so that a resumed confirmation draws the same.
/// The object has what the header keeps as "confirms", and the audit's options, guidelines and
/// distributions.
/// Throws UsageError when the folder holds no complete audit, or one with other ranks or of another
/// library.
nlohmann::json read_suspicions(const RunOptions& options, int ranks);

/// On rank 0: throws UsageError when a file of guidelines or distributions has changed since the
/// audit. \param header that of the confirmation
void require_same_inputs(const nlohmann::json& suspicions, const nlohmann::json& header);

/// Leaves the checks that `suspicions` names, the contestants that they need and the problems that
/// have any.
void keep_suspicions(Plan& plan, const std::vector<Guideline>& guidelines,
                     const nlohmann::json& suspicions);

/// On rank 0, after the measurement: what the audit and its confirmation say together.
nlohmann::json joint_report(const RunOptions& options, const SamplesFile& confirmation);

}  // namespace mpiaudit
