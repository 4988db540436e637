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

#include "mpi/part_of_launch.h"
#include "text/packed.h"

namespace mpiaudit {

// Texts of any length between ranks. Uses mpiaudit's own point-to-point algorithms, since the
// library's collectives may be faulty; broadcasts in a simulation send no messages. All functions
// are collective.

/// Returns rank 0's text on every rank.
std::string broadcast(std::string text, MPI_Comm comm = audited_ranks());

/// Returns the root's text on every rank. Sends messages of at most `part_bytes`, since an int
/// counts less than 2 GiB.
std::string broadcast_in_parts(std::string text, int root, MPI_Comm comm, std::uint64_t part_bytes);

/// Returns the text of the lowest rank that has one on every rank; nullopt if none has one.
std::optional<std::string> text_of_lowest_rank(const std::optional<std::string>& own,
                                               MPI_Comm comm);

/// Returns the value of the lowest rank that has one on every rank; nullopt if none has one.
template <class T>
std::optional<T> of_lowest_rank(const std::optional<T>& own, MPI_Comm comm) {
    std::optional<std::string> bytes;
    if (own) bytes = packed(*own);
    bytes = text_of_lowest_rank(bytes, comm);
    return bytes ? std::optional(unpacked<T>(*bytes)) : std::nullopt;
}

/// Returns the texts of all ranks, each below 2 GiB, on rank 0 in rank order; nothing on other
/// ranks.
std::vector<std::string> gather_texts(const std::string& own, MPI_Comm comm = audited_ranks());

/// A failure of rank 0, thrown on every rank: the program ends with exit code 70 on all ranks, and
/// one rank prints the reason.
class FailureOfRank0 : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Work of rank 0 for all ranks: files, the report. An error on rank 0 is thrown on every rank:
// std::invalid_argument (wrong values of options, malformed files) as a UsageError, others as a
// FailureOfRank0. Collective over audited_ranks().

/// Calls `act` on rank 0. The other ranks wait for the outcome.
void on_rank_0(const std::function<void()>& act);
/// Returns on every rank the text that `make` returns on rank 0.
std::string text_of_rank_0(const std::function<std::string()>& make);

/// Copies the bytes of rank 0 to all ranks. Collective over audited_ranks().
void broadcast_bytes(void* data, std::size_t bytes);
/// Returns rank 0's value on every rank. Collective over audited_ranks().
template <class T>
T from_rank_0(T value) {
    if constexpr (std::is_trivially_copyable_v<T>)
        broadcast_bytes(&value, sizeof(T));
    else
        value = unpacked<T>(broadcast(packed(value)));
    return value;
}

}  // namespace mpiaudit
