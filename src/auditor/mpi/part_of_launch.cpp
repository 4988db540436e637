// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/part_of_launch.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "collectives/patterns/node_communicators.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

/// Tags of messages between rank 0 and ranks that are not measured: an order (an empty one ends the
/// part), the end of a load, a signal.
constexpr int order_tag = 21, end_of_load_tag = 22, signal_tag = 23;
/// Time between two looks of a rank that waits. A look takes some microseconds, so the rank uses
/// less than a thousandth of a processor.
constexpr std::chrono::milliseconds between_looks(20);
/// The return value of received() in a group when its load ends. No handler is installed for this
/// signal.
constexpr int signal_of_end = SIGCONT;

PartOfLaunch* living_part = nullptr;
/// The communicator of this rank's group in the living part.
MPI_Comm comm_of_part = MPI_COMM_NULL;
int signals_heard = 0;       ///< on rank 0, from ranks that are not measured
bool has_load_ended = true;  ///< on the first rank of a group under load

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

/// Returns signal_of_end once the load has ended, else 0.
int end_of_load() {
    int has_come = 0;
    if (!has_load_ended)
        MPI_Iprobe(0, end_of_load_tag, between_all(), &has_come, MPI_STATUS_IGNORE);
    if (has_come != 0) {
        MPI_Recv(nullptr, 0, MPI_BYTE, 0, end_of_load_tag, between_all(), MPI_STATUS_IGNORE);
        has_load_ended = true;
    }
    return has_load_ended ? signal_of_end : 0;
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

PartOfLaunch* PartOfLaunch::living() {
    return living_part;
}

PartOfLaunch::PartOfLaunch(Ranks measured, std::vector<Ranks> load) : groups_{std::move(load)} {
    groups_.insert(groups_.begin(), std::move(measured));
    const int rank = messages::rank_in(MPI_COMM_WORLD);
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (std::ranges::binary_search(groups_[i], rank)) group_ = static_cast<int>(i);
    between_all();
    if (groups_.size() > 1) find_place_on_host();
    // The ranks of a part count their calls together, whatever earlier parts they had.
    under_test::state->calls = 0;
    under_test::state->is_measured = is_measured();
    living_part = this;
    signals_heard = 0;
    has_load_ended = true;
    if (group_ < 0) return;
    comm_ = communicator_of(groups_[static_cast<std::size_t>(group_)]);
    comm_of_part = comm_.get();
    if (rank == 0) interruption::ask_others(&signal_of_others);
}

PartOfLaunch::~PartOfLaunch() {
    living_part = nullptr;
    comm_of_part = MPI_COMM_NULL;
    interruption::ask_others(nullptr);
}

bool PartOfLaunch::leads_load() const {
    return is_load() &&
           groups_[static_cast<std::size_t>(group_)].front() == messages::rank_in(MPI_COMM_WORLD);
}

void PartOfLaunch::find_place_on_host() {
    const OwnedComm host = ranks_of_processor(MPI_COMM_WORLD);
    ranks_on_host_ = messages::size_of(host.get());
    Ranks here(static_cast<std::size_t>(ranks_on_host_)), in_launch(here.size());
    for (std::size_t i = 0; i < here.size(); ++i) here[i] = static_cast<int>(i);
    MPI_Group all = MPI_GROUP_NULL, own = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(host.get(), &own);
    MPI_Group_translate_ranks(own, ranks_on_host_, here.data(), all, in_launch.data());
    MPI_Group_free(&own);
    MPI_Group_free(&all);
    std::erase_if(in_launch, [&](int rank) {
        return std::ranges::none_of(
            groups_, [&](const Ranks& group) { return std::ranges::binary_search(group, rank); });
    });
    const int rank = messages::rank_in(MPI_COMM_WORLD);
    ranks_on_host_ = std::max(1, static_cast<int>(in_launch.size()));
    place_on_host_ =
        static_cast<int>(std::ranges::count_if(in_launch, [&](int each) { return each < rank; }));
}

void PartOfLaunch::begin_load(const std::string& order) const {
    if (!is_rank_0()) return;
    for (std::size_t i = 1; i < groups_.size(); ++i)
        for (const int rank : groups_[i])
            MPI_Send(order.data(), static_cast<int>(order.size()), MPI_CHAR, rank, order_tag,
                     between_all());
}

void PartOfLaunch::end_load() const {
    if (!is_rank_0()) return;
    for (std::size_t i = 1; i < groups_.size(); ++i)
        MPI_Send(nullptr, 0, MPI_BYTE, groups_[i].front(), end_of_load_tag, between_all());
}

/// Passes a signal on to rank 0, then sleeps.
void PartOfLaunch::sleep() {
    if (const int signal = interruption::own_signal(); signal != 0 && !has_told_) {
        MPI_Send(&signal, 1, MPI_INT, 0, signal_tag, between_all());
        has_told_ = true;
    }
    std::this_thread::sleep_for(between_looks);
}

std::optional<std::string> PartOfLaunch::next_load() {
    MPI_Status status{};
    for (int has_come = 0; has_come == 0;) {
        MPI_Iprobe(0, order_tag, between_all(), &has_come, &status);
        if (has_come == 0) sleep();
    }
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string order(static_cast<std::size_t>(length), ' ');
    MPI_Recv(order.data(), length, MPI_CHAR, 0, order_tag, between_all(), MPI_STATUS_IGNORE);
    has_ended_ = order.empty();
    if (has_ended_) return std::nullopt;
    if (leads_load()) {
        has_load_ended = false;
        interruption::ask_others(&end_of_load);
    }
    return order;
}

void PartOfLaunch::wait_for_end_of_load() {
    while (leads_load() && end_of_load() == 0) sleep();
}

int PartOfLaunch::end() {
    while (!is_measured() && !has_ended_)
        if (next_load()) wait_for_end_of_load();
    if (is_rank_0()) {
        for (int rank = 0; rank < messages::size_of(MPI_COMM_WORLD); ++rank)
            if (!std::ranges::binary_search(groups_.front(), rank))
                MPI_Send(nullptr, 0, MPI_CHAR, rank, order_tag, between_all());
    } else {
        interruption::ask_others(nullptr);
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
