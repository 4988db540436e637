// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "catalogue/variant.h"
#include "messages/owned.h"
#include "random/random_bits.h"

namespace mpiaudit {
namespace {

#if MPI_VERSION >= 4
constexpr bool has_sessions = true;
#else
constexpr bool has_sessions = false;
#endif

/// Of all ranks, in a random order.
std::vector<int> shuffled_positions(int ranks) {
    std::vector<int> order(static_cast<std::size_t>(ranks));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [](int rank) {
        return std::pair(mix_bits(static_cast<std::uint64_t>(rank) + 1), rank);
    });
    std::vector<int> positions(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        positions[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return positions;
}

#if MPI_VERSION >= 4
/// The session has to live as long as what has been made of it.
struct SessionCommunicator {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    ~SessionCommunicator() {
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
        if (session != MPI_SESSION_NULL) MPI_Session_finalize(&session);
    }
};
#endif

/// Communicators that are kept with another one.
struct Kept {
    std::map<Origin, OwnedComm> communicators;
    std::map<int, OwnedComm> folded;  ///< by the root
    OwnedComm without_first;
    std::map<std::string, OwnedComm> graphs;  ///< by name
    std::map<std::vector<int>, OwnedComm> tori;
#if MPI_VERSION >= 4
    std::unique_ptr<SessionCommunicator> of_session;
#endif
};

int free_kept(MPI_Comm, int, void* kept, void*) {
    // Attributes of MPI_COMM_WORLD may be deleted while MPI finalizes, when freeing is too late.
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) delete static_cast<Kept*>(kept);
    return MPI_SUCCESS;
}

Kept& kept_with(MPI_Comm comm) {
    static const int key = [] {
        int made = MPI_KEYVAL_INVALID;
        // Not for duplicates: these are other communicators.
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_kept, &made, nullptr);
        return made;
    }();
    void* kept = nullptr;
    int is_there = 0;
    MPI_Comm_get_attr(comm, key, static_cast<void*>(&kept), &is_there);
    if (is_there == 0) {
        kept = new Kept;
        MPI_Comm_set_attr(comm, key, kept);
    }
    return *static_cast<Kept*>(kept);
}

MPI_Comm create(MPI_Comm comm, Origin origin) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm made = MPI_COMM_NULL;
    if (origin == Origin::duplicate) {
        MPI_Comm_dup(comm, &made);
    } else if (origin == Origin::create_group) {
        MPI_Group group = MPI_GROUP_NULL;
        MPI_Comm_group(comm, &group);
        MPI_Comm_create_group(comm, group, 0, &made);
        MPI_Group_free(&group);
    } else {
        MPI_Comm_split(comm, 0, position(origin, rank, ranks), &made);
    }
    return made;
}

#if MPI_VERSION >= 4
MPI_Comm create_from_session(MPI_Comm comm, Kept& kept) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    auto made = std::make_unique<SessionCommunicator>();
    MPI_Session_init(MPI_INFO_NULL, handler, &made->session);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group_from_session_pset(made->session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "mpiaudit", MPI_INFO_NULL, handler, &made->comm);
    MPI_Group_free(&group);
    if (handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler);
    kept.of_session = std::move(made);
    return kept.of_session->comm;
}
#endif

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

}  // namespace

int position(Origin origin, int rank, int ranks) {
    switch (origin) {
        case Origin::reversed:
            return ranks - 1 - rank;
        case Origin::rotated:
            return (rank + ranks - ranks / 2) % ranks;
        case Origin::shuffled:
            return shuffled_positions(ranks)[static_cast<std::size_t>(rank)];
        default:
            return rank;
    }
}

bool renumbers(Origin origin) {
    return origin == Origin::reversed || origin == Origin::rotated || origin == Origin::shuffled;
}

bool is_available(Origin origin) {
    return origin != Origin::session || has_sessions;
}

MPI_Comm communicator(MPI_Comm comm, Origin origin) {
    if (origin == Origin::given) return comm;
    if (origin == Origin::world) return MPI_COMM_WORLD;
    Kept& kept = kept_with(comm);
#if MPI_VERSION >= 4
    if (origin == Origin::session)
        return kept.of_session ? kept.of_session->comm : create_from_session(comm, kept);
#endif
    OwnedComm& made = kept.communicators[origin];
    if (!made) {
        made = OwnedComm{create(comm, origin)};
        handle_errors_as(comm, made.get());
    }
    return made.get();
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

namespace {

/// Kept in `place`: the ranks of `comm` that agree on `belongs`.
MPI_Comm kept_part(MPI_Comm comm, bool belongs, OwnedComm& place) {
    if (!place) {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split(comm, belongs ? 0 : 1, rank, &made);
        place = OwnedComm{made};
        handle_errors_as(comm, made);
    }
    return place.get();
}

}  // namespace

MPI_Comm folded_communicator(MPI_Comm comm, int root) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    return kept_part(comm, stands_for_pair(rank, root, ranks), kept_with(comm).folded[root]);
}

namespace {

/// Without weights; ranks stay what they are.
MPI_Comm distributed_graph(MPI_Comm comm, const std::vector<int>& sources,
                           const std::vector<int>& targets) {
    // Where there are no neighbours a library may still look at the lists.
    static const int none = 0;
    const auto list = [](const std::vector<int>& ranks) {
        return ranks.empty() ? &none : ranks.data();
    };
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()), list(sources),
                                   MPI_UNWEIGHTED, static_cast<int>(targets.size()), list(targets),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    handle_errors_as(comm, made);
    return made;
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

}  // namespace

MPI_Comm graph_communicator(MPI_Comm comm, const Graph& graph) {
    OwnedComm& made = kept_with(comm).graphs[graph.name];
    const auto rank = static_cast<std::size_t>(rank_in(comm));
    if (!made) made = OwnedComm{distributed_graph(comm, graph.sources[rank], graph.targets[rank])};
    return made.get();
}

MPI_Comm complete_communicator(MPI_Comm comm) {
    OwnedComm& made = kept_with(comm).graphs["every rank its own neighbour, too"];
    if (!made) {
        int ranks = 0;
        MPI_Comm_size(comm, &ranks);
        std::vector<int> all(static_cast<std::size_t>(ranks));
        std::iota(all.begin(), all.end(), 0);
        made = OwnedComm{distributed_graph(comm, all, all)};
    }
    return made.get();
}

MPI_Comm cartesian_communicator(MPI_Comm comm, const std::vector<int>& dimensions) {
    OwnedComm& made = kept_with(comm).tori[dimensions];
    if (!made) {
        const std::vector<int> periodic(dimensions.size(), 1);
        MPI_Comm torus = MPI_COMM_NULL;
        MPI_Cart_create(comm, static_cast<int>(dimensions.size()), dimensions.data(),
                        periodic.data(), 0, &torus);
        made = OwnedComm{torus};
        handle_errors_as(comm, torus);
    }
    return made.get();
}

MPI_Comm communicator_without_first(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return kept_part(comm, rank > 0, kept_with(comm).without_first);
}

}  // namespace mpiaudit
