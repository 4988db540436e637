// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/arrow.h"
#include "mpi/environment.h"
#include "options/option_table.h"
#include "options/options.h"
#include "plan/inputs.h"

namespace mpiaudit {

/// Whether a contestant of a report is a path that an application can be made to take for the
/// collective; null where nothing can make it.
using IsPath = bool (*)(const std::string& collective, const std::string& contestant);

/// What other products add to an audit; main hands it over, and an audit needs none of it. Their
/// arrows join the catalogue before anything else.
struct Additions {
    IsPath is_path = nullptr;
    /// The links between the ranks that --network names; null where it names none. Collective.
    std::unique_ptr<const RankNetwork> (*read_network)(const std::string& name) = nullptr;
    PutStandIns put_stand_ins = nullptr;
    /// What else `mpiaudit list` lists.
    std::vector<std::pair<std::string_view, void (*)()>> lists = {};

    /// Throws UsageError where one is named and nobody can read it.
    std::unique_ptr<const RankNetwork> network(const std::string& name) const;
};

/// An entry of a list: the text behind its name, folded on a terminal, with its lines below each
/// other; who reads through a pipe finds a line for each thing.
void say_entry(const std::string& name, const std::string& text);

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
/// `verify --time` and `verify --call`: checks generated calls, and reports the simplest call of each
/// fault.
int verify_calls(const RunOptions& options, const Environment& environment);
int list(const ListOptions& options, const Additions& additions);
int judge_again(const JudgeOptions& options);

/// Throws UsageError unless the launcher has started what it was asked for: one MPI job rather than
/// as many as Slurm's step has tasks, --ranks, and --ranks-per-node on every node. Collective.
void check_launch(const LaunchOptions& options, const Environment& environment);

/// Whether this rank tells the user about errors that all ranks meet: rank 0, and of the jobs of
/// one rank each that a launcher with the wrong PMI makes, only the first.
bool speaks_for_all(const Environment& environment);

}  // namespace mpiaudit
