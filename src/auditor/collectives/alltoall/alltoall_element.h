// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/alltoall/alltoall.h"
#include "collectives/call/blocks.h"
#include "messages/owned.h"

namespace mpiaudit {

/// A block of a regular all-to-all as one item, the papers' "element". Counts of elements stay
/// small where counts of items would not fit an int.
class AlltoallElement {
  public:
    explicit AlltoallElement(const Blocks& blocks) : blocks_{blocks} {
        MPI_Datatype element = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(blocks.count(0), blocks.type(), &element);
        MPI_Type_commit(&element);
        type_ = OwnedDatatype{element};
    }
    MPI_Datatype type() const { return type_.get(); }
    /// Elements first, ..., first + n - 1.
    TypedBuffer at(int first, int n = 1) const { return {blocks_.at(first), n, type()}; }

  private:
    const Blocks& blocks_;
    OwnedDatatype type_;
};

/// See RoundTypeOf.
class RoundType : public OwnedDatatype {
  public:
    using OwnedDatatype::OwnedDatatype;
};

}  // namespace mpiaudit
