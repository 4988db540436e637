// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "text/packed.h"

namespace mpiaudit {

// Texts between ranks, of any length. By our own point-to-point algorithms, since those of the
// library may be what is wrong; in a simulation broadcasts take no messages at all. All collective.

/// The text of rank 0 on every rank.
std::string broadcast(std::string text, MPI_Comm comm = MPI_COMM_WORLD);

/// The same from any root, in messages of at most so many bytes: an int counts no more than 2 GiB.
std::string broadcast_in_parts(std::string text, int root, MPI_Comm comm, std::uint64_t part_bytes);

/// The text of the lowest rank that has one, on every rank.
std::optional<std::string> text_of_lowest_rank(const std::optional<std::string>& own,
                                               MPI_Comm comm);

/// The texts of all ranks on rank 0, in rank order; nothing elsewhere. Each below 2 GiB.
std::vector<std::string> gather_texts(const std::string& own, MPI_Comm comm = MPI_COMM_WORLD);

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
T from_rank_0(T value) {
    if constexpr (std::is_trivially_copyable_v<T>)
        broadcast_bytes(&value, sizeof(T));
    else
        value = unpacked<T>(broadcast(packed(value)));
    return value;
}

}  // namespace mpiaudit
