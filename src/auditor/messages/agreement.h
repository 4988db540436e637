// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <type_traits>
#include <vector>

namespace mpiaudit {

// Agreements of the harness's ranks. Uses mpiaudit's own messages on a private communicator,
// binomial trees and own arithmetic, since every collective of the library, and MPI_Reduce_local,
// may be faulty. All functions are collective.

/// Replaces each element by its maximum over the ranks, on every rank.
void take_largest(std::span<double> values, MPI_Comm comm);
void take_largest(std::span<int> values, MPI_Comm comm);

/// Returns the maximum over the ranks on every rank.
template <class T>
requires std::is_arithmetic_v<T> T largest_of_ranks(T value, MPI_Comm comm) {
    take_largest(std::span(&value, 1), comm);
    return value;
}

/// Returns the sum over the ranks on every rank.
double total_of_ranks(double value, MPI_Comm comm);

/// Returns rank 0's value on every rank.
int decided_by_rank_0(int value, MPI_Comm comm);

/// Returns the element-wise maximum or minimum over the ranks on rank 0, nothing on other ranks.
std::vector<double> largest_on_rank_0(std::vector<double> values, MPI_Comm comm);
std::vector<double> smallest_on_rank_0(std::vector<double> values, MPI_Comm comm);

}  // namespace mpiaudit
