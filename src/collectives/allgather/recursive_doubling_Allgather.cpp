// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "messages/messages.h"

namespace mpiaudit {

void pass_on_in_lower_half(void* buffer, const Message& upper_half, int tree, int mask, int upper,
                           const Processes& processes) {
    for (int distance = mask / 2; 2 * distance > upper; distance /= 2) {
        const int place = (processes.rank - tree) % (2 * distance);
        const int source = place - distance;
        if (place < std::min(upper, distance) && place + distance >= upper) {
            messages::send(upper_half.in(buffer), upper_half.count, upper_half.type,
                           processes.process(processes.rank + distance), message_tag,
                           processes.comm);
        } else if (place >= upper && source >= 0 && source < upper) {
            messages::receive(upper_half.in(buffer), upper_half.count, upper_half.type,
                              processes.process(processes.rank - distance), message_tag,
                              processes.comm);
        }
    }
}

// The general case after Thakur & Gropp, section 4.1: whenever a subtree of 2 mask processes is not
// complete, its lower half gets what it would have got had the subtree been complete.
void replicate_by_recursive_doubling(void* buffer, const Blocks& blocks,
                                     const Processes& processes) {
    for (int mask = 1; mask < processes.size; mask *= 2) {
        const int tree = processes.rank - processes.rank % (2 * mask);
        const int upper = std::min(mask, processes.size - tree - mask);
        if (upper <= 0) continue;
        const Message low = blocks.message(tree, mask);
        const Message high = blocks.message(tree + mask, upper);
        const bool is_low = processes.rank < tree + mask;
        const int partner = processes.rank ^ mask;
        const Message& sent = is_low ? low : high;
        const Message& received = is_low ? high : low;
        if (partner < processes.size)
            messages::exchange(sent.in(buffer), sent.count, sent.type, processes.process(partner),
                               message_tag, received.in(buffer), received.count, received.type,
                               processes.process(partner), message_tag, processes.comm);
        if (is_low) pass_on_in_lower_half(buffer, high, tree, mask, upper, processes);
    }
}

int recursive_doubling_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                 MPI_Comm comm) {
    return allgather_by(replicate_by_recursive_doubling, sendbuf, sendcount, sendtype, recvbuf,
                        recvcount, recvtype, comm);
}

int recursive_doubling_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, const int recvcounts[], const int displs[],
                                  MPI_Datatype recvtype, MPI_Comm comm) {
    return allgatherv_by(replicate_by_recursive_doubling, sendbuf, sendcount, sendtype, recvbuf,
                         recvcounts, displs, recvtype, comm);
}

}  // namespace mpiaudit
