// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "audit/additions.h"
#include "mpi/environment.h"
#include "options/option_table.h"
#include "text/exit_code.h"

namespace mpiaudit {

struct Suspicions;

// Each command returns its exit code. Those that run on all ranks return the same one everywhere
// and throw UsageError on all ranks alike.

/// \param suspicions of an earlier audit, which this launch confirms; null where it is none
int run_audit(const Command& command, const Environment& environment, const Additions& additions,
              const Suspicions* suspicions = nullptr);
/// `run --confirm`: an audit of what another one suspects.
int confirm_audit(const Command& command, const Environment& environment,
                  const Additions& additions);
int verify_collectives(const RunOptions& options, const Environment& environment,
                       const Additions& additions);
int list(const ListOptions& options, const Additions& additions);
int judge_again(const JudgeOptions& options);

}  // namespace mpiaudit
