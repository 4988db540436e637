// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include "collectives/call/ranks.h"

namespace mpiaudit {
namespace {

void wait_by_dissemination(int radix, const Ranks& ranks) {
    // A rank knows of the `known` ranks before it, itself included.
    for (int known = 1; known < ranks.size; known *= radix) {
        messages::Requests requests;
        const auto for_each_distance = [&](const auto& visit) {
            for (int i = 1; i < radix && i * known < ranks.size; ++i) visit(i * known);
        };
        for_each_distance(
            [&](int distance) { ranks.start_receive(requests, {}, ranks.shifted(-distance)); });
        for_each_distance(
            [&](int distance) { ranks.start_send(requests, {}, ranks.shifted(distance)); });
        requests.wait_for_all();
    }
}

}  // namespace

int dissemination_Barrier(MPI_Comm comm) {
    const Ranks ranks{comm};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        ranks.exchange({}, ranks.shifted(distance), {}, ranks.shifted(-distance));
    return MPI_SUCCESS;
}

int dissemination_Barrier_radix4(MPI_Comm comm) {
    wait_by_dissemination(4, Ranks{comm});
    return MPI_SUCCESS;
}

int dissemination_Barrier_radix8(MPI_Comm comm) {
    wait_by_dissemination(8, Ranks{comm});
    return MPI_SUCCESS;
}

int tournament_Barrier(MPI_Comm comm) {
    const Ranks ranks{comm};
    int distance = 1;
    for (; distance < ranks.size && ranks.rank % (2 * distance) == 0; distance *= 2)
        if (ranks.rank + distance < ranks.size) ranks.receive({}, ranks.rank + distance);
    if (ranks.rank > 0) {
        ranks.send({}, ranks.rank - distance);
        ranks.receive({}, ranks.rank - distance);
    }
    while ((distance /= 2) > 0)
        if (ranks.rank + distance < ranks.size) ranks.send({}, ranks.rank + distance);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
