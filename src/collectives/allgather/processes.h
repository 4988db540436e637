// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <bit>
#include <cstdint>

#include "messages/messages.h"
#include "messages/private_communicator.h"

namespace mpiaudit {

/// The processes of one collective call, counted cyclically from process `first` of the caller's
/// communicator, and the communicator of their messages.
struct Processes {
    explicit Processes(MPI_Comm callers, int first_process = 0)
        : comm{private_communicator(callers)}, first{first_process} {
        size = messages::size_of(comm);
        rank = messages::rank_in(comm);
        rank = (rank - first + size) % size;
    }

    /// Rank in `comm` of the process at position `position`, 0 <= position < 2 size.
    int process(int position) const { return (position % size + first) % size; }

    MPI_Comm comm;
    int first;
    int size = 0;
    int rank = 0;  ///< this process's position
};

/// Messages of one pair of processes match in the order in which they are sent, so all of them may
/// have the same tag.
inline constexpr int message_tag = 0;

/// Largest power of two that is at most `size`, size > 0.
inline int power_of_two_below(int size) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
}

/// `buffer` + `bytes`. With integers, because the origin of a datatype with a lower bound may lie
/// outside the memory that it describes, where pointer arithmetic is undefined.
inline void* displaced(void* buffer, MPI_Aint bytes) {
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(buffer) + bytes);
}

inline const void* displaced(const void* buffer, MPI_Aint bytes) {
    return displaced(const_cast<void*>(buffer), bytes);
}

/// Bytes of data in `count` elements of `type`, gaps not counted.
inline MPI_Count data_bytes(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Type_size_x(type, &size);
    return count * size;
}

}  // namespace mpiaudit
