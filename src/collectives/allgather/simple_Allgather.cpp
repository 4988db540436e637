// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <vector>

#include "collectives/allgather/replicate.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

void replicate_at_once(void* buffer, const Blocks& blocks, const Processes& processes) {
    const int rank = processes.rank;
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(processes.size));
    for (int source = 0; source < processes.size; ++source) {
        if (source == rank) continue;
        requests.start_receive(blocks.at(source, buffer), blocks.count(source), blocks.type(),
                               source, message_tag, processes.comm);
    }
    for (int destination = 0; destination < processes.size; ++destination) {
        if (destination == rank) continue;
        requests.start_send(blocks.at(rank, buffer), blocks.count(rank), blocks.type(), destination,
                            message_tag, processes.comm);
    }
    requests.wait_for_all();
}

}  // namespace

int simple_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return allgather_by(replicate_at_once, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, comm);
}

int simple_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                      MPI_Comm comm) {
    return allgatherv_by(replicate_at_once, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                         displs, recvtype, comm);
}

}  // namespace mpiaudit
