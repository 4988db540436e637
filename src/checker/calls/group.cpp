// SPDX-License-Identifier: BSD-3-Clause
#include "calls/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "calls/sizes.h"
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

MPI_Comm cartesian(const std::vector<int>& extents, const std::vector<int>& periods) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Cart_create(audited_ranks(), static_cast<int>(extents.size()), extents.data(),
                    periods.data(), 0, &comm);
    return comm;
}

/// Notes the neighbours in a grid with row-major order: the last dimension is the fastest.
void add_grid_neighbours(Group& group, const std::vector<int>& extents,
                         const std::vector<int>& periods) {
    for (int d = 0, stride = group.size; d < static_cast<int>(extents.size()); ++d) {
        const int extent = extents[static_cast<std::size_t>(d)];
        stride /= extent;
        const int coordinate = group.rank / stride % extent;
        for (const int by : {-1, 1}) {
            const int at =
                shifted(coordinate, by, extent, periods[static_cast<std::size_t>(d)] != 0);
            const int neighbour = at < 0 ? -1 : group.rank + (at - coordinate) * stride;
            group.targets.push_back(neighbour);
            // The block that a neighbour sends in the opposite direction arrives here.
            group.sources.push_back({neighbour, 2 * d + (by < 0 ? 1 : 0)});
        }
    }
}

void make_grid(Group& group, const std::vector<int>& extents, const std::vector<int>& periods) {
    own(group, cartesian(extents, periods));
    add_grid_neighbours(group, extents, periods);
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

std::vector<int> targets_in_multigraph(int rank, int size) {
    const int next = (rank + 1) % size;
    return {next, rank, next};
}

std::vector<int> targets_in_old_graph(int rank, int size) {
    std::vector<int> targets;
    for (const int target : {(rank + 1) % size, (rank + size - 1) % size})
        if (target != rank && std::ranges::find(targets, target) == targets.end())
            targets.push_back(target);
    return targets;
}

/// Notes the neighbours. The sources have the order of their ranks, or the order of the targets in
/// a graph of MPI_Graph_create. Double edges keep their order.
void add_graph_neighbours(Group& group, std::vector<int> (*targets_of)(int, int), bool is_old) {
    group.targets = targets_of(group.rank, group.size);
    std::vector<int> ranks(static_cast<std::size_t>(group.size));
    std::iota(ranks.begin(), ranks.end(), 0);
    for (const int source : is_old ? group.targets : ranks) {
        const std::vector<int> targets = targets_of(source, group.size);
        for (std::size_t k = 0; k < targets.size(); ++k)
            if (targets[k] == group.rank) group.sources.push_back({source, static_cast<int>(k)});
    }
}

void make_graph(Group& group, std::vector<int> (*targets_of)(int, int)) {
    add_graph_neighbours(group, targets_of, false);
    std::vector<int> sources;
    for (const Source& each : group.sources) sources.push_back(each.rank);
    // A pointer to no weights or neighbours must not be null in some libraries.
    const std::vector<int> weights(sources.size() + group.targets.size() + 1, 1);
    const auto data = [&](const std::vector<int>& list) {
        return list.empty() ? weights.data() : list.data();
    };
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(audited_ranks(), static_cast<int>(sources.size()), data(sources),
                                   weights.data(), static_cast<int>(group.targets.size()),
                                   data(group.targets), weights.data(), MPI_INFO_NULL, 0, &comm);
    own(group, comm);
}

void make_old_graph(Group& group) {
    add_graph_neighbours(group, targets_in_old_graph, true);
    std::vector<int> ends, edges;
    for (int rank = 0; rank < group.size; ++rank) {
        for (const int target : targets_in_old_graph(rank, group.size)) edges.push_back(target);
        ends.push_back(static_cast<int>(edges.size()));
    }
    edges.push_back(0);  // the address of an empty list must be valid
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Graph_create(audited_ranks(), group.size, ends.data(), edges.data(), 0, &comm);
    own(group, comm);
}

/// Returns the communicator of the ranks from rank 1 on, which only these ranks make.
MPI_Comm of_members_only(const World& of) {
    if (of.rank == 0) return MPI_COMM_NULL;
    MPI_Group all = MPI_GROUP_NULL, part = MPI_GROUP_NULL;
    MPI_Comm_group(audited_ranks(), &all);
    const int first = 0;
    MPI_Group_excl(all, 1, &first, &part);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_create_group(audited_ranks(), part, 0, &comm);
    MPI_Group_free(&part);
    MPI_Group_free(&all);
    return comm;
}

MPI_Comm of_session(Group& group) {
    group.session = std::make_unique<MpiSession>(MPI_ERRORS_RETURN);
    MPI_Group all = group.session->launched_ranks();
    MPI_Comm comm = comm_from_group(all, MPI_ERRORS_RETURN);
    MPI_Group_free(&all);
    return comm;
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

}  // namespace

bool has_session_of_audited_ranks() {
    // The process set of a session has all ranks of the launch.
    return has_sessions() &&
           messages::size_of(audited_ranks()) == messages::size_of(MPI_COMM_WORLD);
}

Group duplicate_of(const Group& group) {
    Group made;
    made.rank = group.rank;
    made.size = group.size;
    made.is_inter = group.is_inter;
    made.side = group.side;
    made.remote_size = group.remote_size;
    made.targets = group.targets;
    made.sources = group.sources;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(group.comm, &comm);
    own(made, comm);
    return made;
}

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
        case Communicator::duplicate_later: {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Comm_idup(audited_ranks(), &comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            own(group, comm);
            break;
        }
        case Communicator::session:
            own(group, of_session(group));
            break;
        case Communicator::group_of_members:
            own(group, of_members_only(of));
            group.rank = of.rank - 1;
            group.size = of.size - 1;
            group.has_this_rank = of.rank > 0;
            break;
        case Communicator::without_first:
            MPI_Comm_split(audited_ranks(), of.rank == 0 ? MPI_UNDEFINED : 0, 0, &comm);
            own(group, comm);
            group.rank = of.rank - 1;
            group.size = of.size - 1;
            group.has_this_rank = of.rank > 0;
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
            make_grid(group, {of.size}, {1});
            break;
        case Communicator::line:
            make_grid(group, {of.size}, {0});
            break;
        case Communicator::torus:
            make_grid(group, rectangle(of.size), {1, 1});
            break;
        case Communicator::box: {
            const std::vector<int> sides = rectangle(of.size);
            make_grid(group, {1, sides[1], sides[0]}, {1, 0, 1});
            break;
        }
        case Communicator::rows: {
            const OwnedComm grid{cartesian(rectangle(of.size), {1, 1})};
            const int columns = rectangle(of.size)[1];
            const std::array kept{0, 1};
            MPI_Cart_sub(grid.get(), kept.data(), &comm);
            own(group, comm);
            group.rank = of.rank % columns;
            group.size = columns;
            add_grid_neighbours(group, {columns}, {1});
            break;
        }
        case Communicator::graph:
            make_graph(group, targets_in_graph);
            break;
        case Communicator::star:
            make_graph(group, targets_in_star);
            break;
        case Communicator::multigraph:
            make_graph(group, targets_in_multigraph);
            break;
        case Communicator::old_graph:
            make_old_graph(group);
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
    if (!group.has_this_rank) return std::nullopt;
    if (group.comm == MPI_COMM_NULL) return "the library makes no communicator";
    int rank = -1, size = -1, remote_size = 0;
    MPI_Comm_rank(group.comm, &rank);
    MPI_Comm_size(group.comm, &size);
    if (size != group.size)
        return fmt::format("the communicator has {} ranks instead of {}", size, group.size);
    if (rank != group.rank)
        return fmt::format("the rank in the communicator is {} instead of {}", rank, group.rank);
    if (group.is_inter) MPI_Comm_remote_size(group.comm, &remote_size);
    if (remote_size != group.remote_size)
        return fmt::format("the remote group has {} ranks instead of {}", remote_size,
                           group.remote_size);
    return std::nullopt;
}

}  // namespace mpiaudit::calls
