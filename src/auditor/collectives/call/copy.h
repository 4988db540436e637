// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "collectives/call/ranks.h"
#include "collectives/datatypes/typed_buffer.h"

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

}  // namespace mpiaudit
