// SPDX-License-Identifier: BSD-3-Clause
// Datatype constructors that MPI lacks, from Träff, Rougier and Hunold, "Implementing a classic:
// zero-copy all-to-all communication with MPI datatypes", ICS 2014, sections 3.1, 3.2 and 3.5.
#pragma once

#include <mpi.h>

#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

// All constructors behave like those of MPI: counts, displacements, bounds and strides are
// multiples of the extent of `base`; the new type is not committed, and the caller frees it; its
// lower bound and extent are those of its entries (resize it to repeat it). Arguments outside the
// stated ranges return MPI_ERR_ARG and leave `newtype` alone.

/// Creates a bounded vector: blocks of `blocklength` (>= 0) elements, one every `stride` (>=
/// `blocklength`, >= 1) elements, cut off after the first `bound` (>= 0) elements. Element t <
/// bound belongs to the vector if t mod stride < blocklength.
int Type_create_vector_bounded(int bound, int blocklength, int stride, MPI_Datatype base,
                               MPI_Datatype* newtype);

/// Creates a circular vector: the bounded vector (`bound` <= `total`, `blocklength`, `stride`) laid
/// into a ring of `total` elements, starting at element `start` (0 <= start < total, or both 0).
/// Element t of the vector is element (start + t) mod total of the ring; the type map has the order
/// of t.
int Type_create_vector_circular(int total, int start, int bound, int blocklength, int stride,
                                MPI_Datatype base, MPI_Datatype* newtype);

/// Creates a bucket type: consecutive buckets of `bucket_size` elements, of which bucket i (0 <= i
/// < count) has its first `counts[i]` (0 <= counts[i] <= bucket_size) elements filled. The
/// counterpart of MPI_Type_create_indexed_block, which has one size and many displacements.
int Type_create_bucket(int count, const int counts[], int bucket_size, MPI_Datatype base,
                       MPI_Datatype* newtype);

/// Collects the entries of a structured datatype, in the order of the type map.
class Entries {
  public:
    /// Adds `count` items of `type` at `displacement` bytes; nothing if `count` is 0.
    void add(int count, MPI_Aint displacement, MPI_Datatype type);
    /// Adds one item of a type, and keeps the type until the structured datatype is created.
    void add(OwnedDatatype type, MPI_Aint displacement);
    /// Adds a bounded vector whose first element is at `displacement` (bytes). \param extent extent
    /// of `base` in bytes
    void add_bounded_vector(int bound, int blocklength, int stride, MPI_Aint displacement,
                            MPI_Aint extent, MPI_Datatype base);
    /// Creates the structured datatype, not committed.
    int create(MPI_Datatype* newtype) const;

  private:
    std::vector<int> counts_;
    std::vector<MPI_Aint> displacements_;
    std::vector<MPI_Datatype> types_;
    std::vector<OwnedDatatype> owned_;
};

}  // namespace mpiaudit
