// SPDX-License-Identifier: BSD-3-Clause
#include "calls/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "messages/messages.h"
#include "mpi/part_of_launch.h"

namespace mpiaudit::calls {
namespace {

struct World {
    int rank = messages::rank_in(audited_ranks()), size = messages::size_of(audited_ranks());
};

void own(Group& group, MPI_Comm comm) {
    group.comm = comm;
    if (comm == MPI_COMM_NULL) return;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    group.owned = OwnedComm{comm};
}

/// The halves of an intercommunicator: the first half has the smaller number of ranks.
struct Half {
    int side, rank, size, remote_size;
};
Half half_of(const World& of) {
    const int first = of.size / 2;
    const int side = of.rank < first ? 0 : 1;
    return {side, side == 0 ? of.rank : of.rank - first, side == 0 ? first : of.size - first,
            side == 0 ? of.size - first : first};
}

MPI_Comm intercommunicator(const World& of) {
    const Half half = half_of(of);
    MPI_Comm local = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    MPI_Comm_split(audited_ranks(), half.side, 0, &local);
    MPI_Intercomm_create(local, 0, audited_ranks(), half.side == 0 ? of.size / 2 : 0, 0, &inter);
    MPI_Comm_free(&local);
    return inter;
}

int shifted(int coordinate, int by, int extent, bool is_periodic) {
    const int at = coordinate + by;
    if (at >= 0 && at < extent) return at;
    return is_periodic ? (at + extent) % extent : -1;
}

void make_grid(Group& group, const World& of, const std::vector<int>& extents, bool is_periodic) {
    const int dimensions = static_cast<int>(extents.size());
    const std::vector<int> periods(extents.size(), is_periodic ? 1 : 0);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Cart_create(audited_ranks(), dimensions, extents.data(), periods.data(), 0, &comm);
    own(group, comm);
    // Row-major order: the last dimension is the fastest.
    for (int d = 0, stride = of.size; d < dimensions; ++d) {
        const int extent = extents[static_cast<std::size_t>(d)];
        stride /= extent;
        const int coordinate = of.rank / stride % extent;
        for (const int by : {-1, 1}) {
            const int at = shifted(coordinate, by, extent, is_periodic);
            const int neighbour = at < 0 ? -1 : of.rank + (at - coordinate) * stride;
            group.targets.push_back(neighbour);
            // The block that a neighbour sends in the opposite direction arrives here.
            group.sources.push_back({neighbour, 2 * d + (by < 0 ? 1 : 0)});
        }
    }
}

/// Returns the targets of a rank in a graph without double edges.
std::vector<int> targets_in_graph(int rank, int size) {
    std::vector<int> targets;
    for (const int offset : {1, 3}) {
        const int target = (rank + offset) % size;
        if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
    }
    return targets;
}

std::vector<int> targets_in_star(int rank, int size) {
    if (rank > 0) return {0};
    std::vector<int> targets;
    for (int k = 1; k < size; ++k) targets.push_back(k);
    return targets;
}

void make_graph(Group& group, const World& of, std::vector<int> (*targets_of)(int, int)) {
    group.targets = targets_of(of.rank, of.size);
    std::vector<int> sources;
    for (int k = 0; k < of.size; ++k) {
        const std::vector<int> targets = targets_of(k, of.size);
        const auto found = std::ranges::find(targets, of.rank);
        if (found == targets.end()) continue;
        sources.push_back(k);
        group.sources.push_back({k, static_cast<int>(found - targets.begin())});
    }
    // A pointer to no weights or neighbours must not be null in some libraries.
    const std::vector<int> weights(static_cast<std::size_t>(of.size) + 1, 1);
    const auto data = [&](const std::vector<int>& list) {
        return list.empty() ? weights.data() : list.data();
    };
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(audited_ranks(), static_cast<int>(sources.size()), data(sources),
                                   weights.data(), static_cast<int>(group.targets.size()),
                                   data(group.targets), weights.data(), MPI_INFO_NULL, 0, &comm);
    own(group, comm);
}

MPI_Comm of_disjoint_groups(const World& of) {
    MPI_Group all = MPI_GROUP_NULL, part = MPI_GROUP_NULL;
    MPI_Comm_group(audited_ranks(), &all);
    std::vector<int> ranks;
    for (int k = of.rank % 2; k < of.size; k += 2) ranks.push_back(k);
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &part);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_create(audited_ranks(), part, &comm);
    MPI_Group_free(&part);
    MPI_Group_free(&all);
    return comm;
}

std::vector<int> rectangle(int ranks) {
    int rows = static_cast<int>(std::sqrt(ranks));
    while (ranks % rows != 0) --rows;
    return {rows, ranks / rows};
}

}  // namespace

Group make_group(Communicator communicator) {
    const World of;
    Group group;
    group.rank = of.rank;
    group.size = of.size;
    MPI_Comm comm = MPI_COMM_NULL;
    switch (communicator) {
        case Communicator::world:
            group.comm = audited_ranks();
            break;
        case Communicator::self:
            group.comm = MPI_COMM_SELF;
            group.rank = 0;
            group.size = 1;
            break;
        case Communicator::duplicate:
            MPI_Comm_dup(audited_ranks(), &comm);
            own(group, comm);
            break;
        case Communicator::reversed:
            MPI_Comm_split(audited_ranks(), 0, -of.rank, &comm);
            own(group, comm);
            group.rank = of.size - 1 - of.rank;
            break;
        case Communicator::without_first:
            MPI_Comm_split(audited_ranks(), of.rank == 0 ? MPI_UNDEFINED : 0, 0, &comm);
            own(group, comm);
            group.rank = of.rank - 1;
            group.size = of.size - 1;
            break;
        case Communicator::disjoint_groups:
            own(group, of_disjoint_groups(of));
            group.rank = of.rank / 2;
            group.size = (of.size + 1 - of.rank % 2) / 2;
            break;
        case Communicator::merged: {
            MPI_Comm inter = intercommunicator(of);
            MPI_Intercomm_merge(inter, half_of(of).side, &comm);
            MPI_Comm_free(&inter);
            own(group, comm);
            break;
        }
        case Communicator::ring:
            make_grid(group, of, {of.size}, true);
            break;
        case Communicator::line:
            make_grid(group, of, {of.size}, false);
            break;
        case Communicator::torus:
            make_grid(group, of, rectangle(of.size), true);
            break;
        case Communicator::graph:
            make_graph(group, of, targets_in_graph);
            break;
        case Communicator::star:
            make_graph(group, of, targets_in_star);
            break;
        case Communicator::inter: {
            const Half half = half_of(of);
            own(group, intercommunicator(of));
            group.is_inter = true;
            group.side = half.side;
            group.rank = half.rank;
            group.size = half.size;
            group.remote_size = half.remote_size;
            break;
        }
    }
    return group;
}

std::optional<std::string> find_wrong_group(const Group& group) {
    if (!group.takes_part()) return std::nullopt;
    int rank = -1, size = -1;
    MPI_Comm_rank(group.comm, &rank);
    MPI_Comm_size(group.comm, &size);
    if (size != group.size)
        return fmt::format("the communicator has {} ranks instead of {}", size, group.size);
    if (rank != group.rank)
        return fmt::format("the rank in the communicator is {} instead of {}", rank, group.rank);
    return std::nullopt;
}

}  // namespace mpiaudit::calls
