// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/call/address.h"
#include "collectives/datatypes/typed_buffer.h"
#include "messages/owned.h"

namespace mpiaudit {

/// `count` items of a datatype as one: the papers' "element" of a regular all-to-all. Counts of
/// elements stay small where counts of items would not fit an int.
class AlltoallElement {
  public:
    AlltoallElement(int count, MPI_Datatype type);
    MPI_Datatype type() const { return type_.get(); }
    MPI_Aint extent() const { return extent_; }
    /// Elements first, ..., first + n - 1 of a buffer of elements.
    TypedBuffer in(const void* buffer, int first, int n = 1) const {
        return {displaced(buffer, first * extent_), n, type()};
    }

  private:
    OwnedDatatype type_;
    MPI_Aint extent_ = 0;
};

}  // namespace mpiaudit
