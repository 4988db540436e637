// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace mpiaudit
