// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/part_of_launch.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

/// Tags of messages between rank 0 and ranks that are not measured: the end of the part, a signal.
constexpr int end_tag = 21, signal_tag = 23;
/// Time between two looks of a rank that waits. A look takes some microseconds, so the rank uses
/// less than a thousandth of a processor.
constexpr std::chrono::milliseconds between_looks(20);

/// The communicator of the measured ranks of the living part.
MPI_Comm comm_of_part = MPI_COMM_NULL;
int signals_heard = 0;  ///< on rank 0, from ranks that are not measured

MPI_Comm between_all() {
    return private_communicator(MPI_COMM_WORLD);
}

/// Returns the signal that a rank that is not measured has sent to rank 0, or 0.
int signal_of_others() {
    int has_come = 0, signal = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, signal_tag, between_all(), &has_come, MPI_STATUS_IGNORE);
    if (has_come == 0) return 0;
    MPI_Recv(&signal, 1, MPI_INT, MPI_ANY_SOURCE, signal_tag, between_all(), MPI_STATUS_IGNORE);
    ++signals_heard;
    return signal;
}

/// Returns a communicator of these ranks with the error handler of MPI_COMM_WORLD. Collective over
/// these ranks alone.
OwnedComm communicator_of(const PartOfLaunch::Ranks& ranks) {
    constexpr int tag = 0;
    MPI_Group all = MPI_GROUP_NULL, part = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &part);
    MPI_Comm_create_group(MPI_COMM_WORLD, part, tag, &comm);
    MPI_Group_free(&part);
    MPI_Group_free(&all);
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    return OwnedComm{comm};
}

bool is_rank_0() {
    return messages::rank_in(MPI_COMM_WORLD) == 0;
}

}  // namespace

MPI_Comm audited_ranks() {
    // A simulator has another MPI_COMM_WORLD on each rank, so no variable can keep it.
    return comm_of_part == MPI_COMM_NULL ? MPI_COMM_WORLD : comm_of_part;
}

PartOfLaunch::PartOfLaunch(Ranks measured)
    : measured_{std::move(measured)},
      is_measured_{std::ranges::binary_search(measured_, messages::rank_in(MPI_COMM_WORLD))} {
    between_all();
    // The ranks of a part count their calls together, whatever earlier parts they had.
    under_test::state->calls = 0;
    under_test::state->is_measured = is_measured();
    signals_heard = 0;
    if (!is_measured_) return;
    comm_ = communicator_of(measured_);
    comm_of_part = comm_.get();
    if (is_rank_0()) interruption::ask_others(&signal_of_others);
}

PartOfLaunch::~PartOfLaunch() {
    comm_of_part = MPI_COMM_NULL;
    interruption::ask_others(nullptr);
}

/// Passes a signal on to rank 0, then sleeps.
void PartOfLaunch::sleep() {
    if (const int signal = interruption::own_signal(); signal != 0 && !has_told_) {
        MPI_Send(&signal, 1, MPI_INT, 0, signal_tag, between_all());
        has_told_ = true;
    }
    std::this_thread::sleep_for(between_looks);
}

void PartOfLaunch::sleep_until_the_end() {
    for (int has_come = 0; has_come == 0;) {
        MPI_Iprobe(0, end_tag, between_all(), &has_come, MPI_STATUS_IGNORE);
        if (has_come == 0) sleep();
    }
    MPI_Recv(nullptr, 0, MPI_CHAR, 0, end_tag, between_all(), MPI_STATUS_IGNORE);
}

int PartOfLaunch::end() {
    if (!is_measured_) sleep_until_the_end();
    if (is_rank_0()) {
        for (int rank = 0; rank < messages::size_of(MPI_COMM_WORLD); ++rank)
            if (!std::ranges::binary_search(measured_, rank))
                MPI_Send(nullptr, 0, MPI_CHAR, rank, end_tag, between_all());
    }
    comm_of_part = MPI_COMM_NULL;
    comm_ = {};
    const int signal = largest_of_ranks(interruption::received(), MPI_COMM_WORLD);
    receive_late_signals();
    under_test::state->is_measured = true;
    return signal;
}

void PartOfLaunch::receive_late_signals() const {
    const double told = total_of_ranks(has_told_ ? 1.0 : 0.0, MPI_COMM_WORLD);
    for (; is_rank_0() && signals_heard < static_cast<int>(told); ++signals_heard) {
        int signal = 0;
        MPI_Recv(&signal, 1, MPI_INT, MPI_ANY_SOURCE, signal_tag, between_all(), MPI_STATUS_IGNORE);
    }
}

}  // namespace mpiaudit
