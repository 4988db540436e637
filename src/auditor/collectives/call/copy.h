// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include <mpi.h>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// Copies within this rank between buffers of equal signature; gaps of `to` stay as they are.
/// memcpy where the datatypes allow it, else send_to_oneself().
void copy_to_oneself(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks);

/// Appends data to, and takes data from, `packed` at `position`, which moves on: MPI_Pack and
/// MPI_Unpack, or memcpy where the datatype is its data.
void pack(const TypedBuffer& from, std::span<std::byte> packed, int& position, const Ranks& ranks);
void unpack(std::span<const std::byte> packed, int& position, const TypedBuffer& to,
            const Ranks& ranks);

/// The same copy always by a message: MPI has no datatyped copy (section 5 of "Implementing a
/// classic: zero-copy all-to-all communication with MPI datatypes"), and this is what the
/// algorithms of that paper do and count. Over the private communicator and not MPI_COMM_SELF, on
/// which operations of other threads might be copying at the same time.
void send_to_oneself(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks);

/// The input of a call with MPI_IN_PLACE, which stands in the receive buffer and would be
/// overwritten: memory with the layout of the receive buffer, and what that holds copied into it.
class InputCopy {
  public:
    /// Allocates; what `receive` views must stay valid.
    InputCopy(const Blocks& receive, const Ranks& ranks);
    /// Copies what the receive buffer holds now.
    void refresh() const;
    /// To be used with the counts, displacements and datatype of the receive buffer `recvbuf`.
    const void* sendbuf(const void* recvbuf) const;

  private:
    Blocks receive_;
    Ranks ranks_;
    Scratch memory_;
    MPI_Aint shift_bytes_ = 0;  ///< from a byte in the receive buffer to its copy
};

}  // namespace mpiaudit
