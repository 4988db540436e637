// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "collectives/patterns/node_communicators.h"
#include "options/options.h"
#include "record/scale_folders.h"

namespace mpiaudit {

/// The ranks of a launch and their nodes.
class Launch {
  public:
    /// Finds the nodes if the options ask for some. Collective over MPI_COMM_WORLD.
    Launch(const RunOptions& options, bool by_nodes);
    /// Returns whether the job is planned only, so that its ranks are those that the user names.
    bool is_plan() const { return is_plan_; }
    int number_of(const std::string& unit) const { return unit == "ranks" ? ranks_ : nodes_.nodes; }

    /// Returns the ranks that this scale measures.
    std::vector<int> ranks_of(const AuditScale& scale) const;
    /// Returns the ranks that the plan of a scale is for. Throws UsageError if they do not follow.
    int planned_ranks(const AuditScale& scale) const;

  private:
    int ranks_;
    bool is_plan_;
    int ranks_per_node_;
    NodeSplit nodes_;
};

/// Returns the scales that the options name, by rising number. Throws UsageError if the launch is
/// too small.
std::vector<AuditScale> scales_of(const ScaleNumbers& given, const std::string& unit,
                                  const Launch& launch);

/// Returns the scales of the audit that --confirm names, alike on all ranks; empty if it has none.
/// Collective.
std::vector<AuditScale> confirmed_scales(const std::string& folder);

}  // namespace mpiaudit
