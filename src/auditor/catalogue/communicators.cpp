// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/variant.h"
#include "collectives/patterns/node_communicators.h"
#include "messages/kept_with.h"
#include "messages/owned.h"
#include "mpi/part_of_launch.h"
#include "operations/functions_by_name.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// Returns the position of each rank if the ranks are sorted by `key`; equal keys keep their order.
template <class Key>
std::vector<int> positions_by(std::size_t ranks, const Key& key) {
    std::vector<int> order(ranks), positions(ranks);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, key);
    for (std::size_t i = 0; i < ranks; ++i)
        positions[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return positions;
}

std::vector<int> shuffled_positions(int ranks) {
    return positions_by(static_cast<std::size_t>(ranks),
                        [](int rank) { return mix_bits(static_cast<std::uint64_t>(rank) + 1); });
}

/// Communicators that are kept with another one, by what they are.
struct Kept {
    std::map<std::string, OwnedComm> communicators;
    std::unique_ptr<MpiSession>
        session;  ///< declared first, because it ends after its communicator
    OwnedComm of_session;
};

/// Returns the position of each rank if the ranks are sorted by node and place on the node; for
/// other values of `first_by` than node_by_node, by place and node.
std::vector<int> positions_by_nodes(std::span<const int> node_of_rank, Origin first_by) {
    std::map<int, int> ranks_of_node;
    std::vector<std::pair<int, int>> keys;
    for (const int node : node_of_rank) {
        const int place = ranks_of_node[node]++;
        keys.push_back(first_by == Origin::node_by_node ? std::pair(node, place)
                                                        : std::pair(place, node));
    }
    return positions_by(keys.size(),
                        [&](int rank) { return keys[static_cast<std::size_t>(rank)]; });
}

/// Returns a communicator of all ranks that MPI_Intercomm_merge makes of the first half and the
/// others. A single rank has nobody to merge with and gets a duplicate.
MPI_Comm merge_halves(MPI_Comm comm) {
    const int rank = messages::rank_in(comm), half = (messages::size_of(comm) + 1) / 2;
    MPI_Comm made = MPI_COMM_NULL, own = MPI_COMM_NULL, both = MPI_COMM_NULL;
    if (messages::size_of(comm) == 1) {
        MPI_Comm_dup(comm, &made);
        return made;
    }
    const int is_second = rank < half ? 0 : 1;
    MPI_Comm_split(comm, is_second, rank, &own);
    MPI_Intercomm_create(own, 0, comm, is_second != 0 ? 0 : half, 0, &both);
    MPI_Intercomm_merge(both, is_second, &made);
    MPI_Comm_free(&both);
    MPI_Comm_free(&own);
    return made;
}

MPI_Comm create(MPI_Comm comm, Origin origin) {
    MPI_Comm made = MPI_COMM_NULL;
    if (origin == Origin::duplicate) {
        MPI_Comm_dup(comm, &made);
    } else if (origin == Origin::merged) {
        made = merge_halves(comm);
    } else if (origin == Origin::rectangle) {
        MPI_Comm_dup(comm, &made);
        const int ranks = messages::size_of(comm);
        divide_into_nodes(made, ranks / rows_nearest_to_square(ranks));
    } else if (origin == Origin::create_group) {
        MPI_Group group = MPI_GROUP_NULL;
        MPI_Comm_group(comm, &group);
        MPI_Comm_create_group(comm, group, 0, &made);
        MPI_Group_free(&group);
    } else {
        const int rank = messages::rank_in(comm);
        const int ranks = messages::size_of(comm);
        const int key = is_by_nodes(origin)
                            ? position(origin, rank, ranks, node_split(comm).node_of_rank)
                            : position(origin, rank, ranks, {});
        MPI_Comm_split(comm, 0, key, &made);
    }
    return made;
}

/// Returns the ranks of the communicator as ranks in MPI_COMM_WORLD.
std::vector<int> ranks_in_launch(MPI_Comm comm) {
    std::vector<int> own(static_cast<std::size_t>(messages::size_of(comm))), ranks(own.size());
    std::iota(own.begin(), own.end(), 0);
    MPI_Group part = MPI_GROUP_NULL, launch = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &part);
    MPI_Comm_group(MPI_COMM_WORLD, &launch);
    MPI_Group_translate_ranks(part, static_cast<int>(own.size()), own.data(), launch, ranks.data());
    MPI_Group_free(&launch);
    MPI_Group_free(&part);
    return ranks;
}

void create_from_session(MPI_Comm comm, Kept& kept) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    kept.session = std::make_unique<MpiSession>(handler);
    MPI_Group launch = kept.session->launched_ranks(), group = MPI_GROUP_NULL;
    const std::vector<int> ranks = ranks_in_launch(comm);
    MPI_Group_incl(launch, static_cast<int>(ranks.size()), ranks.data(), &group);
    kept.of_session = OwnedComm{comm_from_group(group, handler)};
    MPI_Group_free(&group);
    MPI_Group_free(&launch);
    MPI_Errhandler_free(&handler);
}

/// Ranks of the pairs.
int ranks_of_pairs(int ranks) {
    return 2 * (ranks - static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks))));
}

void handle_errors_as(MPI_Comm model, MPI_Comm comm) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(model, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

/// Returns the communicator that make() has made at the first call with this name. Errors on the
/// communicator are handled as on `comm`.
template <class Make>
MPI_Comm kept(MPI_Comm comm, const std::string& name, const Make& make) {
    OwnedComm& known = kept_with<Kept>(comm).communicators[name];
    if (!known) {
        const MPI_Comm made = make();
        handle_errors_as(comm, made);
        known = OwnedComm{made};
    }
    return known.get();
}

/// The ranks of `comm` that agree on `belongs`.
MPI_Comm kept_part(MPI_Comm comm, const std::string& name, bool belongs) {
    return kept(comm, name, [&] {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split(comm, belongs ? 0 : 1, messages::rank_in(comm), &made);
        return made;
    });
}

MPI_Comm distributed_graph(MPI_Comm comm, std::span<const int> sources,
                           std::span<const int> targets) {
    // A library may read an address of a list without elements.
    static const int none = 0;
    const auto list = [](std::span<const int> ranks) {
        return ranks.empty() ? &none : ranks.data();
    };
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()), list(sources),
                                   MPI_UNWEIGHTED, static_cast<int>(targets.size()), list(targets),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    return made;
}

}  // namespace

int position(Origin origin, int rank, int ranks, std::span<const int> node_of_rank) {
    switch (origin) {
        case Origin::reversed:
            return ranks - 1 - rank;
        case Origin::rotated:
            return (rank + ranks - ranks / 2) % ranks;
        case Origin::shuffled:
            return shuffled_positions(ranks)[static_cast<std::size_t>(rank)];
        case Origin::node_by_node:
        case Origin::round_robin:
            if (node_of_rank.empty()) return rank;
            return positions_by_nodes(node_of_rank, origin)[static_cast<std::size_t>(rank)];
        default:
            return rank;
    }
}

bool renumbers(Origin origin) {
    return origin == Origin::reversed || origin == Origin::rotated || origin == Origin::shuffled ||
           is_by_nodes(origin);
}

bool renumbers(Origin origin, std::span<const int> node_of_rank) {
    return !std::ranges::is_sorted(positions_by_nodes(node_of_rank, origin));
}

bool is_by_nodes(Origin origin) {
    return origin == Origin::node_by_node || origin == Origin::round_robin;
}

bool is_available(Origin origin) {
    // SMPI has no intercommunicators.
    if (origin == Origin::merged) return !platform().time_stands_still;
    return origin != Origin::session || has_sessions();
}

MPI_Comm communicator(MPI_Comm comm, Origin origin) {
    if (origin == Origin::given) return comm;
    if (origin == Origin::world) return audited_ranks();
    // Open MPI cannot make one in a process that no launcher started: a single rank splits instead.
    if (origin == Origin::session && messages::size_of(comm) > 1) {
        Kept& own = kept_with<Kept>(comm);
        if (!own.of_session) create_from_session(comm, own);
        return own.of_session.get();
    }
    return kept(comm, fmt::format("origin {}", static_cast<int>(origin)),
                [&] { return create(comm, origin); });
}

bool is_of_a_pair(int rank, int ranks) {
    return rank < ranks_of_pairs(ranks);
}

bool stands_for_pair(int rank, int root, int ranks) {
    if (!is_of_a_pair(rank, ranks)) return true;
    return (rank ^ 1) == root ? false : (rank == root || rank % 2 == 1);
}

int folded_rank(int rank, int ranks) {
    return is_of_a_pair(rank, ranks) ? rank / 2 : rank - ranks_of_pairs(ranks) / 2;
}

MPI_Comm folded_communicator(MPI_Comm comm, int root) {
    return kept_part(comm, fmt::format("folded {}", root),
                     stands_for_pair(messages::rank_in(comm), root, messages::size_of(comm)));
}

MPI_Comm graph_communicator(MPI_Comm comm, const Graph& graph) {
    const auto rank = static_cast<std::size_t>(messages::rank_in(comm));
    return kept(comm, "graph " + graph.name,
                [&] { return distributed_graph(comm, graph.sources[rank], graph.targets[rank]); });
}

MPI_Comm complete_communicator(MPI_Comm comm) {
    return kept(comm, "every rank its own neighbour, too", [&] {
        std::vector<int> all(static_cast<std::size_t>(messages::size_of(comm)));
        std::iota(all.begin(), all.end(), 0);
        return distributed_graph(comm, all, all);
    });
}

MPI_Comm cartesian_communicator(MPI_Comm comm, const std::vector<int>& dimensions) {
    return kept(comm, fmt::format("torus {}", fmt::join(dimensions, " ")), [&] {
        const std::vector<int> periodic(dimensions.size(), 1);
        MPI_Comm torus = MPI_COMM_NULL;
        MPI_Cart_create(comm, static_cast<int>(dimensions.size()), dimensions.data(),
                        periodic.data(), 0, &torus);
        return torus;
    });
}

MPI_Comm communicator_without_first(MPI_Comm comm) {
    return kept_part(comm, "without first", messages::rank_in(comm) > 0);
}

MPI_Comm communicator_of_first(MPI_Comm comm, int ranks) {
    return kept_part(comm, fmt::format("first {}", ranks), messages::rank_in(comm) < ranks);
}

}  // namespace mpiaudit
