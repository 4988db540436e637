// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "collectives/alltoall/alltoall.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "messages/owned.h"
#include "messages/scratch.h"

namespace mpiaudit {

/// A block of a regular all-to-all, the papers' "element": items of the call's datatype. A single
/// item of a derived datatype if a block has no data, or if twice the items of all blocks, the
/// reach of a round's strides, overflow an int.
class AlltoallElement {
  public:
    explicit AlltoallElement(const Blocks& blocks)
        : blocks_{blocks}, items_{blocks.count(0)}, type_{blocks.type()} {
        if (items_ > 0 && total_fits_int(2 * std::int64_t{items_}, blocks.size())) return;
        MPI_Type_contiguous(items_, blocks.type(), &type_);
        MPI_Type_commit(&type_);
        owned_ = OwnedDatatype{type_};
        items_ = 1;
    }
    int items() const { return items_; }
    MPI_Datatype type() const { return type_; }
    /// Returns elements first, ..., first + n - 1.
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

/// Returns true if MPI_Pack and MPI_Unpack, which count bytes with an int, can handle this many
/// elements of `count` items; equal on all ranks, whose elements have equal signatures.
inline bool fits_packed(int elements, int count, MPI_Datatype type) {
    return type_bytes(type) * count <= std::numeric_limits<int>::max() / std::max(elements, 1);
}

/// The intermediate buffer of these algorithms, sent as MPI_PACKED: a packed sequence may be
/// received from any type, whatever the signature of the elements (section 3.1).
class PackedBuffer {
  public:
    /// \param near see Scratch
    PackedBuffer(const Ranks& ranks, const void* near) : ranks_{ranks}, near_{near} {}
    /// Sends `blocks`, which starts at `buffer`, to rank `to` and replaces the data by those of
    /// rank `from`: receives packed, then unpacks.
    void exchange(void* buffer, MPI_Datatype blocks, int to, int from);
    /// Moves element j of p to (this rank - j) mod p.
    void reverse(const AlltoallElement& element);

  private:
    /// Returns the packed size of `count` items and allocates at least this many bytes.
    int reserve(int count, MPI_Datatype type);

    Ranks ranks_;
    const void* near_;
    Scratch memory_;
    int capacity_bytes_ = -1;  ///< -1, since MPI_Unpack needs memory for an empty sequence, too
};

/// Returns the bytes of the largest block of any rank (section 3.5: a rank must have space for
/// passing blocks). Collective.
std::int64_t largest_block_bytes(const Blocks& send, const Ranks& ranks);

/// Runs Modified Bruck on blocks packed into slots of this many bytes. Returns MPI_ERR_COUNT if a
/// slot or a round has 2 GiB or more.
int exchange_in_slots(std::int64_t slot_bytes, const Blocks& send, const Blocks& receive,
                      const Ranks& ranks);

}  // namespace mpiaudit
