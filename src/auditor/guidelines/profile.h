// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpiaudit {

/// A range of sizes for which PGMPITuneLib calls one of its mock-ups.
struct ProfileRange {
    std::int64_t from_bytes = 0, to_bytes = 0;  ///< of a block or vector, both included
    std::string mockup;                         ///< allgather_as_gather_bcast
    std::string path;                           ///< MPI_Gather(m) + MPI_Bcast(m)
};

/// A profile of PGMPITuneLib: which mock-ups replace an operation on a number of ranks.
struct Profile {
    std::string operation;  ///< MPI_Allgather
    int ranks = 0;
    std::vector<ProfileRange> ranges;

    /// Returns the factor from bytes of a block or vector to bytes of all blocks together.
    int blocks() const;
};

/// Returns whether a text looks like a profile: its first line without # begins with MPI_.
bool is_profile(const std::string& text);

/// Reads a profile (a file .prf). Throws std::invalid_argument "FILE:LINE: what is wrong".
/// \param origin the file's name
Profile parse_profile(const std::string& text, const std::string& origin);

/// Returns the path of a mock-up: MPI_Gather(m) + MPI_Bcast(m) for allgather_as_gather_bcast. Empty
/// for names that follow no such pattern.
std::string path_of_mockup(const std::string& mockup);

/// Returns the words for a file that is neither JSON nor a profile: "FILE: is neither ... nor ...".
std::string neither_json_nor_profile(const std::string& text, const std::string& origin);

}  // namespace mpiaudit
