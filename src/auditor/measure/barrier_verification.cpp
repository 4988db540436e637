// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions about barriers of verification.h and protocol.h.
#include "measure/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/statistics.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "mpi/texts.h"
#include "simulation/simulation.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

// Delay of the late rank in seconds, counted from when the other ranks are about to enter.
constexpr double late_s = 1e-3;
constexpr int most_late_ranks = 3;
enum BarrierTag : int { enters = 11, has_left };

/// Calls visit(rank) for the ranks that send messages to the late rank: those at distances 1, 2, 4
/// ..., so that the late rank does not get thousands of messages.
template <class Visit>
void for_each_witness(int late, int ranks, Visit visit) {
    for (int distance = 1; distance < ranks; distance *= 2) visit((late + distance) % ranks);
}

/// Runs the barrier as the late rank. Returns an error if another rank left before this rank
/// entered.
std::optional<std::string> come_late(const Call& barrier, int late, int ranks, MPI_Comm between) {
    for_each_witness(late, ranks, [&](int witness) {
        MPI_Recv(nullptr, 0, MPI_BYTE, witness, enters, between, MPI_STATUS_IGNORE);
    });
    std::optional<std::string> error;
    const double start_s = wall_time_s();
    while (!error && wall_time_s() - start_s < late_s) {
        int has_arrived = 0;
        MPI_Status status{};
        MPI_Iprobe(MPI_ANY_SOURCE, has_left, between, &has_arrived, &status);
        if (has_arrived)
            error = fmt::format("rank {}: rank {} left before this rank had entered", late,
                                status.MPI_SOURCE);
    }
    barrier();
    for_each_witness(late, ranks, [&](int witness) {
        MPI_Recv(nullptr, 0, MPI_BYTE, witness, has_left, between, MPI_STATUS_IGNORE);
    });
    return error;
}

/// Runs the barrier as any other rank; witnesses tell the late rank before and after it.
void come_early(const Call& barrier, int rank, int late, int ranks, MPI_Comm between) {
    const auto tell = [&](int tag) {
        for_each_witness(late, ranks, [&](int witness) {
            if (witness == rank) MPI_Send(nullptr, 0, MPI_BYTE, late, tag, between);
        });
    };
    tell(enters);
    barrier();
    tell(has_left);
}

/// Synchronises the ranks by the protocol's barrier and notes errors that it returns. Collective.
void bring_together(const Protocol& protocol) {
    under_test::arrive(under_test::barrier_of_harness);
    under_test::synchronise();
    protocol.barrier().wait(protocol.comm);
    under_test::finish();
}

}  // namespace

std::optional<std::string> find_early_leaver(const Call& barrier, MPI_Comm comm, int members) {
    const MPI_Comm between = private_communicator(comm);
    const int rank = messages::rank_in(between);
    std::optional<std::string> error;
    if (members == 1 || platform().time_stands_still) {
        barrier();
        return error;
    }
    // The late ranks are the first, one in the middle, and the last.
    const int late_ranks = std::min(members, most_late_ranks);
    for (int i = 0; i < late_ranks; ++i) {
        const int late = i * (members - 1) / std::max(1, late_ranks - 1);
        if (rank != late)
            come_early(barrier, rank, late, members, between);
        else if (auto found = come_late(barrier, late, members, between); found && !error)
            error = std::move(found);
    }
    return error;
}

Synchronisation Protocol::barrier() const {
    const Synchronisation& asked = options.sync->barrier;
    return avoids_native_barrier && asked.is_native() ? *find_synchronisation("dissemination")
                                                      : asked;
}

void require_right_barrier(const Protocol& protocol) {
    if (!protocol.barrier().is_native() || platform().time_stands_still) return;
    const auto wait = [&] { bring_together(protocol); };
    const int rank = messages::rank_in(protocol.comm);
    const auto left = find_early_leaver(wait, protocol.comm, messages::size_of(protocol.comm));
    auto fault = returned_error(rank);
    if (!fault && left) fault = {FaultKind::left_early, *left};
    if (const auto agreed = of_lowest_rank(fault, protocol.comm)) throw WrongBarrier(*agreed);
}

double barrier_time_s(const Protocol& protocol) {
    std::array<double, 25> times_s{};
    for (double& time_s : times_s) {
        const double start_s = protocol.options.clock->now();
        bring_together(protocol);
        time_s = protocol.options.clock->now() - start_s;
    }
    return judge::median(times_s);
}

}  // namespace mpiaudit
