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

/// Tags of messages between rank 0 and the ranks outside the part.
constexpr int end_tag = 21, signal_tag = 22;
/// Time between two looks of a rank that waits. A look takes some microseconds, so the rank uses
/// less than a thousandth of a processor.
constexpr std::chrono::milliseconds between_looks(20);

/// The communicator of the living part, and the number of signals that rank 0 has got from ranks
/// outside of the part.
MPI_Comm comm_of_part = MPI_COMM_NULL;
int signals_heard = 0;

/// Returns the signal that a rank outside of the part has sent to rank 0, or 0.
int signal_of_others() {
    const MPI_Comm between = private_communicator(MPI_COMM_WORLD);
    int has_come = 0, signal = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, signal_tag, between, &has_come, MPI_STATUS_IGNORE);
    if (has_come == 0) return 0;
    MPI_Recv(&signal, 1, MPI_INT, MPI_ANY_SOURCE, signal_tag, between, MPI_STATUS_IGNORE);
    ++signals_heard;
    return signal;
}

/// Returns a communicator of these ranks with the error handler of MPI_COMM_WORLD. Collective over
/// these ranks alone.
OwnedComm communicator_of(const std::vector<int>& ranks) {
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

}  // namespace

MPI_Comm audited_ranks() {
    // A simulator has another MPI_COMM_WORLD on each rank, so no variable can keep it.
    return comm_of_part == MPI_COMM_NULL ? MPI_COMM_WORLD : comm_of_part;
}

PartOfLaunch::PartOfLaunch(std::vector<int> ranks)
    : ranks_{std::move(ranks)},
      has_this_rank_{std::ranges::binary_search(ranks_, messages::rank_in(MPI_COMM_WORLD))} {
    private_communicator(MPI_COMM_WORLD);
    // The ranks of a part count their calls together, whatever earlier parts they had.
    under_test::state->calls = 0;
    under_test::state->stage = has_this_rank_ ? under_test::elsewhere : under_test::outside;
    if (!has_this_rank_) return;
    comm_ = communicator_of(ranks_);
    comm_of_part = comm_.get();
    signals_heard = 0;
    if (messages::rank_in(MPI_COMM_WORLD) == 0) interruption::ask_others(&signal_of_others);
}

PartOfLaunch::~PartOfLaunch() {
    comm_of_part = MPI_COMM_NULL;
    interruption::ask_others(nullptr);
}

int PartOfLaunch::end() {
    comm_of_part = MPI_COMM_NULL;
    if (!has_this_rank_) sleep_until_end();
    if (messages::rank_in(MPI_COMM_WORLD) == 0) wake_others();
    under_test::finish();
    comm_ = {};
    const int signal = largest_of_ranks(interruption::received(), MPI_COMM_WORLD);
    receive_late_signals();
    return signal;
}

void PartOfLaunch::sleep_until_end() {
    const MPI_Comm between = private_communicator(MPI_COMM_WORLD);
    for (;;) {
        int has_come = 0;
        MPI_Iprobe(0, end_tag, between, &has_come, MPI_STATUS_IGNORE);
        if (has_come != 0) break;
        if (const int signal = interruption::received(); signal != 0 && !has_told_) {
            MPI_Send(&signal, 1, MPI_INT, 0, signal_tag, between);
            has_told_ = true;
        }
        std::this_thread::sleep_for(between_looks);
    }
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, end_tag, between, MPI_STATUS_IGNORE);
}

void PartOfLaunch::wake_others() const {
    const MPI_Comm between = private_communicator(MPI_COMM_WORLD);
    for (int rank = 0; rank < messages::size_of(MPI_COMM_WORLD); ++rank) {
        if (!std::ranges::binary_search(ranks_, rank))
            MPI_Send(nullptr, 0, MPI_BYTE, rank, end_tag, between);
    }
}

void PartOfLaunch::receive_late_signals() const {
    const double told = total_of_ranks(has_told_ ? 1.0 : 0.0, MPI_COMM_WORLD);
    if (messages::rank_in(MPI_COMM_WORLD) != 0) return;
    const MPI_Comm between = private_communicator(MPI_COMM_WORLD);
    for (; signals_heard < static_cast<int>(told); ++signals_heard) {
        int signal = 0;
        MPI_Recv(&signal, 1, MPI_INT, MPI_ANY_SOURCE, signal_tag, between, MPI_STATUS_IGNORE);
    }
}

}  // namespace mpiaudit
