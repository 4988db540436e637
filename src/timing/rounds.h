// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/arrow.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {

/// The contestants' order in one round: a uniform permutation of `active`, a function of the seed
/// and the round only, so that all ranks agree.
std::vector<int> round_order(std::span<const int> active, std::uint64_t seed, int round);

/// Samples of consecutive rounds. On rank 0 a sample is the maximum over the ranks; elsewhere
/// samples are empty.
struct Batch {
    std::vector<std::vector<int>> order;         ///< [round]: contestants in the order they ran
    std::vector<std::vector<double>> samples_s;  ///< [round][place in the order]
};

/// Runs contestants in rounds: each active one once per round in random order, a synchronisation
/// before each. So drift, frequency changes and neighbours hit all of them alike.
class Rounds {
  public:
    /// `before`, where given, is called for a contestant ahead of the synchronisation, untimed.
    Rounds(std::span<const Call> calls, MPI_Comm comm, Clock clock, Synchronisation synchronisation,
           std::uint64_t seed, std::span<const Call> before = {});

    /// Runs rounds without keeping the times.
    void warm_up(std::span<const int> active, int rounds);
    /// Runs rounds; the maxima over the ranks are taken once at the end, so that no reduction
    /// stands between two samples. Collective.
    Batch run(std::span<const int> active, int rounds);

  private:
    void bring_together(std::size_t contestant);

    std::span<const Call> calls_;
    std::span<const Call> before_;
    MPI_Comm comm_;
    Clock clock_;
    Synchronisation synchronisation_;
    std::uint64_t seed_;
    int round_ = 0;
};

}  // namespace mpiaudit
