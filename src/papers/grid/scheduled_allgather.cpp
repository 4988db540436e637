// SPDX-License-Identifier: BSD-3-Clause
#include "grid/scheduled_allgather.h"

#include <algorithm>

#include "collectives/call/copy.h"

namespace mpiaudit {

ScheduledAllgather::ScheduledAllgather(const AllgatherSchedule& schedule, int rank)
    : hosts_{schedule.hosts} {
    // By datum, the receive that it comes with; -1 for the own one.
    std::vector<int> came_with(static_cast<std::size_t>(hosts_), -1);
    for (const ScheduledMessage& message : schedule.messages) {
        const auto data = schedule.data_of(message);
        if (message.destination == rank) {
            for (const int datum : data)
                came_with[static_cast<std::size_t>(datum)] = static_cast<int>(receives_.size());
            receives_.push_back({message.source, {data.begin(), data.end()}, {}});
        } else if (message.source == rank) {
            Part& made =
                sends_.emplace_back(Part{message.destination, {data.begin(), data.end()}, {}});
            for (const int datum : data) {
                const int receive = came_with[static_cast<std::size_t>(datum)];
                if (receive >= 0 && std::ranges::find(made.after, receive) == made.after.end())
                    made.after.push_back(receive);
            }
        }
    }
}

int ScheduledAllgather::allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm) const {
    const Ranks ranks{comm};
    return run(sendbuf, sendcount, sendtype,
               Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks);
}

int ScheduledAllgather::allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, const int recvcounts[], const int displs[],
                                   MPI_Datatype recvtype, MPI_Comm comm) const {
    const Ranks ranks{comm};
    return run(sendbuf, sendcount, sendtype,
               Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks.size), ranks);
}

int ScheduledAllgather::run(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            const Blocks& blocks, const Ranks& ranks) const {
    if (ranks.size != hosts_) return MPI_ERR_COMM;
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself({sendbuf, sendcount, sendtype}, blocks.message(ranks.rank), ranks);
    messages::Requests receives, sends;
    for (const Part& part : receives_) {
        // MPI keeps a datatype until its messages are done, even if it is freed before.
        const TypedBuffer message = blocks.message(part.data);
        ranks.start_receive(receives, message, part.peer);
    }
    for (const Part& part : sends_) {
        for (const int receive : part.after) receives.wait(static_cast<std::size_t>(receive));
        const TypedBuffer message = blocks.message(part.data);
        ranks.start_send(sends, message, part.peer);
    }
    receives.wait_for_all();
    sends.wait_for_all();
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
