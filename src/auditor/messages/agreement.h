// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <type_traits>
#include <vector>

namespace mpiaudit {

// What the ranks agree on to steer themselves: by our own messages on a private communicator and
// our own arithmetic, since every collective of the library, and MPI_Reduce_local, may be what is
// wrong with it. Binomial trees. All collective.

/// Element by element the largest over the ranks, on every rank.
void take_largest(std::span<double> values, MPI_Comm comm);
void take_largest(std::span<int> values, MPI_Comm comm);

/// The largest over the ranks, on every rank.
template <class T>
requires std::is_arithmetic_v<T> T largest_of_ranks(T value, MPI_Comm comm) {
    take_largest(std::span(&value, 1), comm);
    return value;
}

/// The sum over the ranks, on every rank.
double total_of_ranks(double value, MPI_Comm comm);

/// What rank 0 has decided, on every rank.
int decided_by_rank_0(int value, MPI_Comm comm);

/// Element by element the largest or the smallest over the ranks; on rank 0, empty elsewhere.
std::vector<double> largest_on_rank_0(std::vector<double> values, MPI_Comm comm);
std::vector<double> smallest_on_rank_0(std::vector<double> values, MPI_Comm comm);

}  // namespace mpiaudit
