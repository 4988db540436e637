// SPDX-License-Identifier: BSD-3-Clause
// Defines Workspaces of prepared.h.
#include "measure/prepared.h"

#include <algorithm>
#include <cmath>

#include "messages/agreement.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/texts.h"
#include "problem/workspace.h"
#include "record/audit_record.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

// Limit on sets of buffers. Each buffer of a small set takes a page, and all pages compete for few
// places of a cache: a thousand sets exceed even a large cache. More sets would take longer to
// prepare than to measure.
constexpr double most_sets = 1024;

}  // namespace

Workspaces::Workspaces(const PlannedProblem& planned, const std::vector<Problem>& problems,
                       const Protocol& protocol, Memory memory)
    : comm_{protocol.comm}, network_{protocol.network}, variants_{problems.size()} {
    add_set(planned, problems, memory);
    if (protocol.rotation.all_bytes == 0.0 || memory != Memory::own) return;
    for (std::size_t more = sets_to_rotate(protocol.rotation) - 1; more > 0; --more)
        add_set(planned, problems, memory);
}

std::vector<Instance> Workspaces::parts(const Contestant& contestant, std::size_t set) const {
    std::vector<Instance> parts;
    const auto wanted = static_cast<std::size_t>(contestant.path.scale.own_parts());
    for (const auto& space : spaces_[set * variants_ + contestant.variant])
        if (parts.size() < wanted) parts.push_back({*space, comm_, network_});
    return parts;
}

std::size_t Workspaces::sets_to_rotate(const Rotation& rotation) const {
    std::size_t own_bytes = 0;
    for (const auto& parts : spaces_)
        for (const auto& each : parts) own_bytes += each->cached_bytes();
    const double of_a_rank = std::max(1.0, static_cast<double>(own_bytes));
    const double wanted = std::ceil(rotation.all_bytes / total_of_ranks(of_a_rank, comm_));
    const double fitting = std::floor(rotation.rank_bytes / largest_of_ranks(of_a_rank, comm_));
    const double most = std::max(double{least_sets_of_buffers}, std::min(fitting, most_sets));
    return static_cast<std::size_t>(std::clamp(wanted, double{least_sets_of_buffers}, most));
}

void Workspaces::add_set(const PlannedProblem& planned, const std::vector<Problem>& problems,
                         Memory memory) {
    const int rank = messages::rank_in(comm_);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const Problem& problem = problems[i];
        const Needs needs = planned.needs(i);
        auto& parts = spaces_.emplace_back();
        for (int part = 0; part < planned.own_parts(i); ++part) {
            parts.push_back(std::make_unique<Workspace>(problem, rank, needs, memory));
            if (memory == Memory::shared) continue;
            for (const Layout layout : needs.sources)
                Contents(problem, layout.holding).write(parts.back()->source(layout), rank);
        }
    }
}

}  // namespace mpiaudit
