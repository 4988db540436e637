// SPDX-License-Identifier: BSD-3-Clause
// Defines Communicator, prepare() and take_error() of session.h.
#include <algorithm>
#include <utility>

#include "interposition/library.h"
#include "messages/kept_with.h"
#include "messages/under_test.h"
#include "repairer/session.h"

namespace mpiaudit::repairer {
namespace {

/// Limit on duplicates: MPICH has about 2000 communicators per process.
constexpr int most_duplicates = 256;

std::atomic<int> duplicates{0};
thread_local int error_of_messages = MPI_SUCCESS;

/// Returns the numbers of ranks on the hosts, for hosts in the order of their first ranks.
std::vector<int> ranks_per_host(const std::vector<int>& ranks) {
    std::vector<std::pair<int, int>> hosts;
    for (const int rank : ranks) {
        const int host = session.hosts[static_cast<std::size_t>(rank)];
        auto found = std::ranges::find(hosts, host, &std::pair<int, int>::first);
        if (found == hosts.end()) found = hosts.insert(hosts.end(), {host, 0});
        ++found->second;
    }
    std::vector<int> numbers;
    for (const auto& [host, number] : hosts) numbers.push_back(number);
    return numbers;
}

void note_error(MPI_Comm*, int* code, ...) {
    if (error_of_messages == MPI_SUCCESS) error_of_messages = *code;
}

MPI_Errhandler noting_errors() {
    static const MPI_Errhandler handler = [] {
        MPI_Errhandler made = MPI_ERRHANDLER_NULL;
        PMPI_Comm_create_errhandler(note_error, &made);
        return made;
    }();
    return handler;
}

/// Returns whether a rule could make a call on the communicator take a path that sends messages.
bool may_need_duplicate(const Communicator& known) {
    return known.is_repairable && known.size > 1 &&
           std::ranges::any_of(session.rules, [&](const AppliedRule& each) {
               return each.path.needs_duplicate && each.rule.is_for(known.per_host);
           });
}

template <class Next>
int making(MPI_Comm* made, const Next& next) {
    const int code = next();
    if (code == MPI_SUCCESS && interposition::depth == 0) prepare(*made);
    return code;
}

/// Behaviour of a function that creates a communicator: prepares the new communicator.
auto made_in(MPI_Comm* made) {
    return [made](const auto& next) { return making(made, next); };
}

}  // namespace

Communicator::Communicator(MPI_Comm comm) : RankInComm{comm} {
    if (is_inter) return;
    const std::vector<int> ranks = interposition::world_ranks(comm);
    // If one rank finds a rank of another MPI_COMM_WORLD, all ranks find one.
    is_repairable = std::ranges::find(ranks, MPI_UNDEFINED) == ranks.end();
    if (is_repairable) per_host = ranks_per_host(ranks);
}

Communicator::~Communicator() {
    if (has_duplicate) --duplicates;
}

void prepare(MPI_Comm comm) {
    const bool is_wanted = session.mode == Mode::on || session.mode == Mode::verify;
    if (comm == MPI_COMM_NULL || !is_wanted || session.phase != Phase::on) return;
    if (std::ranges::none_of(session.rules,
                             [](const AppliedRule& each) { return each.path.needs_duplicate; }))
        return;
    const interposition::Inside inside;
    Communicator& known = interposition::attribute_of<Communicator>(comm);
    if (known.has_duplicate || !may_need_duplicate(known)) return;
    // Processes may have different numbers of duplicates.
    int own = duplicates, most = 0;
    PMPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, comm);
    if (most >= most_duplicates) return;
    const MPI_Comm duplicate = private_communicator(comm);
    // An error in a message of a path becomes an error of the application's call.
    PMPI_Comm_set_errhandler(duplicate, noting_errors());
    known.has_duplicate = true;
    ++duplicates;
}

int take_error() {
    const int local = under_test::take_error();
    const int noted = std::exchange(error_of_messages, MPI_SUCCESS);
    return noted == MPI_SUCCESS ? local : noted;
}

}  // namespace mpiaudit::repairer

using mpiaudit::repairer::made_in;

// Functions that create a communicator and in which its ranks wait for each other; in MPI_Comm_idup
// they do not.
MPIAUDIT_INTERPOSED(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made),
                    (comm, info, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made),
                    (comm, group, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Comm_create_group,
                    (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made),
                    (comm, group, tag, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made),
                    (comm, color, key, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Comm_split_type,
                    (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
                    (comm, type, key, info, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made),
                    (comm, high, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Cart_create,
                    (MPI_Comm comm, int dimensions, const int sizes[], const int periodic[],
                     int reorder, MPI_Comm* made),
                    (comm, dimensions, sizes, periodic, reorder, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Cart_sub, (MPI_Comm comm, const int kept[], MPI_Comm* made),
                    (comm, kept, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Graph_create,
                    (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                     MPI_Comm* made),
                    (comm, nodes, index, edges, reorder, made), made_in(made))
MPIAUDIT_INTERPOSED(MPI_Dist_graph_create,
                    (MPI_Comm comm, int n, const int sources[], const int degrees[],
                     const int destinations[], const int weights[], MPI_Info info, int reorder,
                     MPI_Comm* made),
                    (comm, n, sources, degrees, destinations, weights, info, reorder, made),
                    made_in(made))
MPIAUDIT_INTERPOSED(MPI_Dist_graph_create_adjacent,
                    (MPI_Comm comm, int sources, const int from[], const int from_weights[],
                     int destinations, const int to[], const int to_weights[], MPI_Info info,
                     int reorder, MPI_Comm* made),
                    (comm, sources, from, from_weights, destinations, to, to_weights, info, reorder,
                     made),
                    made_in(made))
