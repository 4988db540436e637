// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather_schedules.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/bcast/bcast_schedules.h"

namespace mpiaudit::schedules {
namespace {

/// An exchange of the blocks of the problem among all ranks.
Trace replication(void (*replicate)(Trace&, const BlockBytes&, Positions),
                  const CostProblem& problem) {
    Trace schedule(problem.ranks());
    replicate(schedule, BlockBytes(problem.block_bytes()), {problem.ranks(), 0});
    return schedule;
}

}  // namespace

void replicate_by_ring(Trace& schedule, const BlockBytes& blocks, Positions positions) {
    const int size = positions.size;
    for (int step = 1; step < size; ++step)
        for (int i = 0; i < size; ++i)
            schedule.exchange(positions.rank(i), positions.rank(i + 1),
                              blocks.of(i - step + 1 + size), positions.rank(i - 1 + size));
}

void pass_on_in_lower_half(Trace& schedule, std::int64_t bytes, int position, int tree, int mask,
                           int upper, Positions positions) {
    const int rank = positions.rank(position);
    for (int distance = mask / 2; 2 * distance > upper; distance /= 2) {
        const int place = (position - tree) % (2 * distance);
        const int source = place - distance;
        if (place < std::min(upper, distance) && place + distance >= upper)
            schedule.send(rank, positions.rank(position + distance), bytes);
        else if (place >= upper && source >= 0 && source < upper)
            schedule.receive(rank, positions.rank(position - distance));
    }
}

void replicate_by_recursive_doubling(Trace& schedule, const BlockBytes& blocks,
                                     Positions positions) {
    for (int mask = 1; mask < positions.size; mask *= 2) {
        for (int i = 0; i < positions.size; ++i) {
            const int tree = i - i % (2 * mask);
            const int upper = std::min(mask, positions.size - tree - mask);
            if (upper <= 0) continue;
            const bool is_low = i < tree + mask;
            const std::int64_t high_bytes = blocks.of(tree + mask, upper);
            const int partner = i ^ mask;
            if (partner < positions.size)
                schedule.exchange(positions.rank(i), positions.rank(partner),
                                  is_low ? blocks.of(tree, mask) : high_bytes,
                                  positions.rank(partner));
            if (is_low)
                pass_on_in_lower_half(schedule, high_bytes, i, tree, mask, upper, positions);
        }
    }
}

Trace ring_allgather(const CostProblem& problem) {
    return replication(replicate_by_ring, problem);
}

Trace recursive_doubling_allgather(const CostProblem& problem) {
    return replication(replicate_by_recursive_doubling, problem);
}

Trace dissemination_allgather(const CostProblem& problem) {
    const int size = problem.ranks();
    const BlockBytes blocks(problem.block_bytes());
    Trace schedule(size);
    for (int distance = 1; distance < size; distance *= 2) {
        const int n = std::min(distance, size - distance);
        for (int rank = 0; rank < size; ++rank)
            schedule.exchange(rank, (rank + distance) % size, blocks.of(rank - n + 1 + size, n),
                              (rank - distance + size) % size);
    }
    return schedule;
}

Trace simple_allgather(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    for (int rank = 0; rank < problem.ranks(); ++rank) {
        for (int other = 0; other < problem.ranks(); ++other) schedule.start_receive(rank, other);
        for (int other = 0; other < problem.ranks(); ++other)
            schedule.start_send(rank, other, problem.bytes(rank));
        schedule.wait(rank);
    }
    return schedule;
}

Trace spreading_simple_allgather(const CostProblem& problem) {
    const int size = problem.ranks();
    Trace schedule(size);
    for (int step = 1; step < size; ++step)
        for (int rank = 0; rank < size; ++rank)
            schedule.exchange(rank, (rank + step) % size, problem.bytes(rank),
                              (rank - step + size) % size);
    return schedule;
}

Trace gather_bcast_allgather(const CostProblem& problem) {
    const int size = problem.ranks();
    const BlockBytes blocks(problem.block_bytes());
    Trace schedule(size);
    for (int mask = 1; mask < size; mask *= 2)
        for (int parent = 0; parent + mask < size; parent += 2 * mask)
            schedule.message(parent + mask, parent,
                             blocks.of(parent + mask, std::min(mask, size - parent - mask)));
    broadcast_by_binomial_tree(schedule, problem.bytes(), {size, 0});
    return schedule;
}

Trace MPICH2004_allgather(const CostProblem& problem) {
    return problem.bytes() >= MPICH2004_limits::long_allgather
               ? ring_allgather(problem)
               : recursive_doubling_allgather(problem);
}

}  // namespace mpiaudit::schedules
