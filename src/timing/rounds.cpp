// SPDX-License-Identifier: BSD-3-Clause
#include "timing/rounds.h"

#include <utility>

#include "collectives/reduce/reduce.h"
#include "problem/random_bits.h"

namespace mpiaudit {

std::vector<int> round_order(std::span<const int> active, std::uint64_t seed, int round) {
    std::vector<int> order(active.begin(), active.end());
    std::uint64_t state = mix_bits(seed, static_cast<std::uint64_t>(round));
    // Fisher-Yates by hand: std::shuffle differs between standard libraries. The bias of the
    // remainder is below 2^-50 for any number of contestants.
    for (std::size_t left = order.size(); left > 1; --left) {
        state = mix_bits(state);
        std::swap(order[left - 1], order[state % left]);
    }
    return order;
}

Rounds::Rounds(std::span<const Call> calls, MPI_Comm comm, Clock clock,
               Synchronisation synchronisation, std::uint64_t seed, std::span<const Call> before)
    : calls_{calls},
      before_{before},
      comm_{comm},
      clock_{clock},
      synchronisation_{synchronisation},
      seed_{seed} {}

void Rounds::bring_together(std::size_t contestant) {
    if (!before_.empty()) before_[contestant]();
    synchronisation_.wait(comm_);
}

void Rounds::warm_up(std::span<const int> active, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        // Negative numbers keep the orders of the measured rounds apart from these.
        for (const int contestant : round_order(active, seed_, -1 - round)) {
            bring_together(static_cast<std::size_t>(contestant));
            calls_[static_cast<std::size_t>(contestant)]();
        }
    }
}

Batch Rounds::run(std::span<const int> active, int rounds) {
    Batch batch;
    for (int k = 0; k < rounds; ++k) batch.order.push_back(round_order(active, seed_, round_++));
    const std::size_t per_round = active.size();
    std::vector<double> local(per_round * static_cast<std::size_t>(rounds));
    double* sample = local.data();
    for (const std::vector<int>& order : batch.order) {
        for (const int contestant : order) {
            const Call& call = calls_[static_cast<std::size_t>(contestant)];
            bring_together(static_cast<std::size_t>(contestant));
            const double start = clock_.now();
            call();
            *sample++ = clock_.now() - start;
        }
    }
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    std::vector<double> slowest(rank == 0 ? local.size() : 0);
    // Not the library's reduction, which may be one of those that are audited because they fail.
    binomial_Reduce(local.data(), slowest.data(), static_cast<int>(local.size()), MPI_DOUBLE,
                    MPI_MAX, 0, comm_);
    for (auto at = slowest.begin(); at != slowest.end();
         at += static_cast<std::ptrdiff_t>(per_round))
        batch.samples_s.emplace_back(at, at + static_cast<std::ptrdiff_t>(per_round));
    return batch;
}

}  // namespace mpiaudit
