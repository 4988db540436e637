// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "messages/scratch.h"

namespace mpiaudit {

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
