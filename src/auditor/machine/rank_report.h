// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// What a rank tells rank 0 about where it runs.
struct RankReport {
    std::string host;
    std::string launched_on;  ///< processing units, as a list like 0-1,4
    std::string processing_units;
    std::string bound_by;
    std::vector<int> cores;  ///< on which the rank may run
    int ranks_on_node = 1;
    std::int64_t moves = 0;  ///< by the kernel since the rank was looked at first
    /// From the first rank of a node only.
    std::optional<NodeTopology> topology;
    std::optional<NodeConditions> conditions;
    bool operator==(const RankReport&) const = default;
};

template <>
struct Form<RankReport> {
    static void members(auto& io, auto& report) {
        io.required("host", report.host);
        io.required("launched_on", report.launched_on);
        io.required("processing_units", report.processing_units);
        io.required("bound_by", report.bound_by);
        io.required("cores", report.cores);
        io.required("ranks_on_node", report.ranks_on_node);
        io.required("moves", report.moves);
        io.optional("topology", report.topology);
        io.optional("conditions", report.conditions);
    }
};

}  // namespace mpiaudit
