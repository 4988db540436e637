// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace mpiaudit {

/// What rank 0 alone could not do, on every rank: the program ends with exit code 70 on all of
/// them, and one says why.
class FailureOfRank0 : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What one rank does for all: files, the report. An error there is one on every rank: of
// std::invalid_argument, which wrong values of options and malformed files are, a UsageError, else
// a FailureOfRank0. Collective over MPI_COMM_WORLD.

/// Runs `act` on rank 0.
void on_rank_0(const std::function<void()>& act);
/// The text that `make` returns on rank 0, on every rank.
std::string text_of_rank_0(const std::function<std::string()>& make);

void broadcast_bytes(void* data, std::size_t bytes);
/// The value of rank 0 on every rank. Collective over MPI_COMM_WORLD.
template <class T>
requires std::is_trivially_copyable_v<T> T from_rank_0(T value) {
    broadcast_bytes(&value, sizeof(T));
    return value;
}

}  // namespace mpiaudit
