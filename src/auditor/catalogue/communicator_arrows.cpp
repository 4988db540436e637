// SPDX-License-Identifier: BSD-3-Clause
// Defines communicator_arrows() of operation_arrows.h: functions that make a communicator of all
// ranks and free it again, and the messages that such a function needs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "catalogue/operation_arrows.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using under_test::look_at;

/// The size of a communicator and the rank of this process in it.
struct Membership {
    int size = -1, rank = -1;
};

/// \param join makes the communicator, or exchanges the messages that are needed for one
Step joining(const Instance& instance, const Place& from, Layout to,
             std::function<Membership(MPI_Comm)> join) {
    const auto learnt = std::make_shared<Membership>();
    Place result = from;
    result.layout = to;
    const int size = instance.problem().ranks(), rank = instance.rank();
    const auto find_error = [learnt, size, rank]() -> std::optional<Fault> {
        if (learnt->size == size && learnt->rank == rank) return std::nullopt;
        return Fault{FaultKind::wrong_communicator,
                     fmt::format("rank {}: is rank {} of {} in the new communicator, not {} of {}",
                                 rank, learnt->rank, learnt->size, rank, size)};
    };
    return {[join = std::move(join), learnt, comm = instance.comm] { *learnt = join(comm); },
            result,
            {},
            {{[learnt] { *learnt = {}; }, find_error}}};
}

/// \param make a function of MPI that derives a communicator from another one
template <class Make>
Membership member_of_made(MPI_Comm comm, Make make) {
    MPI_Comm made = MPI_COMM_NULL;
    look_at(make(comm, &made));
    if (made == MPI_COMM_NULL) return {};
    const Membership own{messages::size_of(made), messages::rank_in(made)};
    look_at(MPI_Comm_free(&made));
    return own;
}

template <class Make>
int with_own_group(MPI_Comm comm, Make make) {
    MPI_Group group = MPI_GROUP_NULL;
    look_at(MPI_Comm_group(comm, &group));
    const int code = make(group);
    look_at(MPI_Group_free(&group));
    return code;
}

int split_all(MPI_Comm comm, MPI_Comm* made) {
    return MPI_Comm_split(comm, 0, messages::rank_in(comm), made);
}
int create_all(MPI_Comm comm, MPI_Comm* made) {
    return with_own_group(comm, [=](MPI_Group all) { return MPI_Comm_create(comm, all, made); });
}
int create_group_of_all(MPI_Comm comm, MPI_Comm* made) {
    return with_own_group(comm,
                          [=](MPI_Group all) { return MPI_Comm_create_group(comm, all, 1, made); });
}
int create_torus(MPI_Comm comm, MPI_Comm* made) {
    std::array<int, 2> dimensions{};
    const std::array<int, 2> periodic{1, 1};
    look_at(MPI_Dims_create(messages::size_of(comm), 2, dimensions.data()));
    return MPI_Cart_create(comm, 2, dimensions.data(), periodic.data(), 0, made);
}
int create_ring(MPI_Comm comm, MPI_Comm* made) {
    const int ranks = messages::size_of(comm), rank = messages::rank_in(comm);
    const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    return MPI_Dist_graph_create_adjacent(comm, 1, &before, MPI_UNWEIGHTED, 1, &after,
                                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made);
}

template <int (*make)(MPI_Comm, MPI_Comm*)>
Step step_made_by(const Instance& instance, const Place& from, Layout to) {
    return joining(instance, from, to, [](MPI_Comm comm) { return member_of_made(comm, make); });
}

/// Agrees on a number for the communicator that is free on all ranks: each rank sends its free
/// numbers, as many as libraries do, and all ranks agree on one.
void agree_on_number(MPI_Comm comm) {
    constexpr int words = 64;
    std::array<int, words> free{}, free_of_all{};
    look_at(MPI_Allreduce(free.data(), free_of_all.data(), words, MPI_INT, MPI_BAND, comm));
    look_at(MPI_Allreduce(free.data(), free_of_all.data(), 1, MPI_INT, MPI_MAX, comm));
}

/// Prepares a split with one color by MPI_Allgather and an agreement on the number of the
/// communicator, as libraries do it.
Step split_by_allgather(const Instance& instance, const Place& from, Layout to) {
    struct Member {
        int color, key;
    };
    return joining(instance, from, to, [](MPI_Comm comm) {
        const auto ranks = static_cast<std::size_t>(messages::size_of(comm));
        const Member own{0, messages::rank_in(comm)};
        std::vector<Member> all(ranks);
        look_at(MPI_Allgather(&own, 2, MPI_INT, all.data(), 2, MPI_INT, comm));
        std::ranges::sort(all, {}, [](const Member& each) {
            return std::array{each.color, each.key};
        });
        agree_on_number(comm);
        const auto place = std::ranges::find(all, own.key, &Member::key) - all.begin();
        return Membership{static_cast<int>(ranks), static_cast<int>(place)};
    });
}

Step dup_by_allreduce(const Instance& instance, const Place& from, Layout to) {
    return joining(instance, from, to, [](MPI_Comm comm) {
        agree_on_number(comm);
        return Membership{messages::size_of(comm), messages::rank_in(comm)};
    });
}

}  // namespace

std::vector<Arrow> communicator_arrows() {
    const auto row = [](const char* name, const char* summary, Prepare prepare,
                        unsigned needs = anything) {
        return Arrow{parse_form(name), "communicator", Kind::variant, Holding::apart,
                     Holding::grouped, summary,        prepare,       needs};
    };
    return {
        row("MPI_Comm_split", "all ranks with one color, and MPI_Comm_free",
            step_made_by<split_all>),
        row("MPI_Comm_dup", "the same ranks again, and MPI_Comm_free", step_made_by<MPI_Comm_dup>),
        row("MPI_Comm_create", "of the group of all ranks, and MPI_Comm_free",
            step_made_by<create_all>),
        row("MPI_Comm_create_group", "of the group of all ranks, and MPI_Comm_free",
            step_made_by<create_group_of_all>),
        row("MPI_Cart_create", "a torus of all ranks, and MPI_Comm_free",
            step_made_by<create_torus>),
        row("MPI_Dist_graph_create_adjacent", "a ring of all ranks, and MPI_Comm_free",
            // A simulator declares this function together with neighbourhood collectives, and
            // defines none of them.
            step_made_by<create_ring>, presence_of("MPI_Neighbor_alltoall")),
        row("MPI_Comm_split[by MPI_Allgather]",
            "what ranks have to exchange: colors and keys, and two MPI_Allreduce for a number",
            split_by_allgather),
        row("MPI_Comm_dup[by MPI_Allreduce]",
            "what ranks have to exchange: two MPI_Allreduce for a number", dup_by_allreduce),
    };
}

}  // namespace mpiaudit
