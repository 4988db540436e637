// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall_schedules.h"

#include "collectives/allreduce/allreduce_schedules.h"

namespace mpiaudit::schedules {
namespace {

/// The bytes that `rank` sends in a round of the Bruck family: of the blocks that have yet to move
/// this distance, each of which has come from j mod distance ranks further.
std::int64_t round_bytes(const CostProblem& problem, int rank, int distance) {
    std::int64_t bytes = 0;
    for (int j = distance; j < problem.ranks(); ++j) {
        const int source = (rank + j % distance) % problem.ranks();
        if (j & distance) bytes += problem.bytes_between(source, source - j + problem.ranks());
    }
    return bytes;
}

/// One int for every block of a round.
std::int64_t sizes_bytes(int ranks, int distance) {
    std::int64_t blocks = 0;
    for (int j = distance; j < ranks; ++j) blocks += (j & distance) != 0;
    return blocks * static_cast<std::int64_t>(sizeof(int));
}

void bruck_rounds(Trace& schedule, const CostProblem& problem, bool tells_sizes) {
    const int size = problem.ranks();
    for (int distance = 1; distance < size; distance *= 2) {
        for (int rank = 0; rank < size; ++rank) {
            const int to = (rank - distance + size) % size;
            const int from = (rank + distance) % size;
            if (tells_sizes) schedule.exchange(rank, to, sizes_bytes(size, distance), from);
            schedule.exchange(rank, to, round_bytes(problem, rank, distance), from);
        }
    }
}

}  // namespace

Trace direct_alltoall(const CostProblem& problem) {
    const int size = problem.ranks();
    Trace schedule(size);
    for (int rank = 0; rank < size; ++rank) {
        for (int distance = 1; distance < size; ++distance) {
            const int from = (rank - distance + size) % size;
            if (problem.bytes_between(from, rank) > 0) schedule.start_receive(rank, from);
        }
        for (int distance = 1; distance < size; ++distance) {
            const int to = (rank + distance) % size;
            if (const std::int64_t bytes = problem.bytes_between(rank, to); bytes > 0)
                schedule.start_send(rank, to, bytes);
        }
        schedule.wait(rank);
    }
    return schedule;
}

Trace pairwise_alltoall(const CostProblem& problem) {
    constexpr int nobody = -1;
    const int size = problem.ranks();
    Trace schedule(size);
    for (int distance = 1; distance < size; ++distance) {
        for (int rank = 0; rank < size; ++rank) {
            const int to = (rank + distance) % size;
            const int from = (rank - distance + size) % size;
            const std::int64_t bytes = problem.bytes_between(rank, to);
            schedule.exchange(rank, bytes > 0 ? to : nobody, bytes,
                              problem.bytes_between(from, rank) > 0 ? from : nobody);
        }
    }
    return schedule;
}

Trace Bruck_alltoall(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    bruck_rounds(schedule, problem, false);
    return schedule;
}

Trace zeroBruckV_alltoallv(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    // The largest block is found by an MPI_Allreduce, taken as recursive doubling.
    allreduce_by_recursive_doubling(schedule, sizeof(std::int64_t));
    if (problem.bytes() > 0) bruck_rounds(schedule, problem, true);
    return schedule;
}

Trace persBruckV_alltoallv(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    if (problem.bytes() > 0) bruck_rounds(schedule, problem, false);
    return schedule;
}

}  // namespace mpiaudit::schedules
