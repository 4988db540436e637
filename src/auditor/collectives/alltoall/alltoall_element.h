// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "collectives/alltoall/alltoall.h"
#include "collectives/call/blocks.h"
#include "messages/owned.h"

namespace mpiaudit {

/// A block of a regular all-to-all, the papers' "element": so many items of a datatype, that of the
/// call. One item of a datatype of its own where it has no data, or where an int does not count the
/// items of all blocks twice, as far as the strides of a round go.
class AlltoallElement {
  public:
    explicit AlltoallElement(const Blocks& blocks)
        : blocks_{blocks}, items_{blocks.count(0)}, type_{blocks.type()} {
        if (items_ > 0 && fit_int(2 * std::int64_t{items_}, blocks.size())) return;
        MPI_Type_contiguous(items_, blocks.type(), &type_);
        MPI_Type_commit(&type_);
        owned_ = OwnedDatatype{type_};
        items_ = 1;
    }
    int items() const { return items_; }
    MPI_Datatype type() const { return type_; }
    /// Elements first, ..., first + n - 1.
    TypedBuffer at(int first, int n = 1) const { return {blocks_.at(first), n * items_, type_}; }

  private:
    const Blocks& blocks_;
    int items_;
    MPI_Datatype type_;
    OwnedDatatype owned_;
};

/// See RoundTypeOf.
class RoundType : public OwnedDatatype {
  public:
    using OwnedDatatype::OwnedDatatype;
};

}  // namespace mpiaudit
