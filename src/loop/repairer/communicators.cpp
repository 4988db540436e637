// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "interposition/library.h"
#include "messages/kept_with.h"
#include "messages/under_test.h"
#include "repairer/session.h"

namespace mpiaudit::repairer {
namespace {

/// MPICH has about 2000 communicators for all that a process does.
constexpr int most_duplicates = 256;
/// Calls on a communicator before it is worth a duplicate: one that an application makes and frees
/// again in a loop does not get that far.
constexpr int first_calls = 2;

std::atomic<int> duplicates{0};
thread_local int error_of_messages = MPI_SUCCESS;

/// Numbers of ranks on each host, in the order in which the ranks come to the hosts.
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

}  // namespace

Communicator::Communicator(MPI_Comm comm) : Membership{comm} {
    if (is_inter) return;
    const std::vector<int> ranks = interposition::world_ranks(comm);
    // Where one rank finds another of another MPI_COMM_WORLD, all ranks find one.
    is_repairable = std::ranges::find(ranks, MPI_UNDEFINED) == ranks.end();
    if (is_repairable) per_host = ranks_per_host(ranks);
}

Communicator::~Communicator() {
    if (has_duplicate) --duplicates;
}

bool has_duplicate(Communicator& known, MPI_Comm comm) {
    if (known.has_duplicate) return true;
    if (known.is_without_duplicate || known.calls++ < first_calls) return false;
    // How many a process has it knows alone, so that the ranks have to agree.
    int own = duplicates, most = 0;
    PMPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, comm);
    if (most >= most_duplicates) {
        known.is_without_duplicate = true;
        return false;
    }
    const MPI_Comm duplicate = private_communicator(comm);
    // An error of a message of ours is one of the application's call, on its communicator.
    PMPI_Comm_set_errhandler(duplicate, noting_errors());
    known.has_duplicate = true;
    ++duplicates;
    return true;
}

int take_error() {
    const int local = under_test::take_error();
    const int noted = std::exchange(error_of_messages, MPI_SUCCESS);
    return noted == MPI_SUCCESS ? local : noted;
}

}  // namespace mpiaudit::repairer
