// SPDX-License-Identifier: BSD-3-Clause
#include "launches/ranks_of_launch.h"

#include <mpi.h>

#include <numeric>

#include "messages/messages.h"
#include "mpi/texts.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// Returns the ranks of the first nodes, `number` in all.
std::vector<int> ranks_of_first_nodes(const NodeSplit& nodes, int number) {
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < nodes.node_of_rank.size(); ++rank) {
        if (nodes.node_of_rank[rank] < number) ranks.push_back(static_cast<int>(rank));
    }
    return ranks;
}

}  // namespace

Launch::Launch(const RunOptions& options, bool by_nodes)
    : ranks_{messages::size_of(MPI_COMM_WORLD)},
      is_plan_{options.dry_run && ranks_ == 1},
      ranks_per_node_{options.ranks_per_node} {
    if (!by_nodes || is_plan_) return;
    set_ranks_per_node(options.node_size);
    nodes_ = node_split(MPI_COMM_WORLD);
}

std::vector<int> Launch::ranks_of(const AuditScale& scale) const {
    if (scale.unit == "nodes") return ranks_of_first_nodes(nodes_, scale.number);
    std::vector<int> ranks(static_cast<std::size_t>(scale.number));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

int Launch::planned_ranks(const AuditScale& scale) const {
    if (scale.unit == "ranks") return scale.number;
    if (ranks_per_node_ > 0) return scale.number * ranks_per_node_;
    throw UsageError("--nodes: a dry run of a single process needs --ranks-per-node, too");
}

std::vector<AuditScale> scales_of(const ScaleNumbers& given, const std::string& unit,
                                  const Launch& launch) {
    std::vector<int> numbers = given.numbers;
    if (given.has_all && launch.is_plan())
        throw UsageError("--{}: a dry run of a single process does not know all; give the number",
                         unit);
    const int most = launch.number_of(unit);
    if (!launch.is_plan() && !numbers.empty() && numbers.back() > most)
        throw UsageError("--{}: the launch has {}, not {}; start more, or give numbers up to {}",
                         unit, AuditScale{unit, most}.in_words(), numbers.back(), most);
    if (given.has_all && (numbers.empty() || numbers.back() < most)) numbers.push_back(most);
    std::vector<AuditScale> scales;
    for (const int number : numbers) scales.push_back({unit, number});
    return scales;
}

std::vector<AuditScale> confirmed_scales(const std::string& folder) {
    std::vector<AuditScale> scales;
    if (folder.empty()) return scales;
    on_rank_0([&] { scales = scales_in(folder); });
    const std::string unit = broadcast(scales.empty() ? "" : scales.front().unit);
    std::vector<int> numbers;
    for (const AuditScale& each : scales) numbers.push_back(each.number);
    scales.clear();
    for (const int number : from_rank_0(numbers)) scales.push_back({unit, number});
    return scales;
}

}  // namespace mpiaudit
