// SPDX-License-Identifier: BSD-3-Clause
// The datatype constructors that Träff, Rougier and Hunold ("Implementing a classic: zero-copy
// all-to-all communication with MPI datatypes", ICS 2014, sections 3.1, 3.2 and 3.5) miss in MPI.
#pragma once

#include <mpi.h>

#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

// All of them behave like MPI's own constructors: counts, displacements, bounds and strides are in
// units of the extent of `base`, the new type is not committed and must be freed by the caller, its
// lower bound and extent are those of its entries (resize it to repeat it), and arguments outside
// the stated ranges return MPI_ERR_ARG and leave `newtype` alone.

/// Bounded vector: blocks of `blocklength` (>= 0) elements, one every `stride` (>= `blocklength`,
/// >= 1) elements, within the first `bound` (>= 0) elements; what a block has beyond the bound is
/// cut off. Element t < bound belongs to it if t mod stride < blocklength.
int Type_create_vector_bounded(int bound, int blocklength, int stride, MPI_Datatype base,
                               MPI_Datatype* newtype);

/// Circular vector: the bounded vector (`bound` <= `total`, `blocklength`, `stride`) laid into a
/// ring of `total` elements from element `start` (0 <= start < total, or both 0) on: its element t
/// is element (start + t) mod total of the ring, and the type map keeps the order of the t.
int Type_create_vector_circular(int total, int start, int bound, int blocklength, int stride,
                                MPI_Datatype base, MPI_Datatype* newtype);

/// Bucket: consecutive buckets of `bucket_size` elements each, of which the first `counts[i]`
/// (0 <= counts[i] <= bucket_size) elements of bucket i (0 <= i < count) are filled: the
/// counterpart of MPI_Type_create_indexed_block, which has one size and many displacements.
int Type_create_bucket(int count, const int counts[], int bucket_size, MPI_Datatype base,
                       MPI_Datatype* newtype);

/// The entries of a structured datatype while they are collected, in the order of the type map.
class Entries {
  public:
    /// `count` items of `type` at `displacement` (bytes); nothing if there are none.
    void add(int count, MPI_Aint displacement, MPI_Datatype type);
    /// One item of a type that only this structured datatype needs.
    void add(OwnedDatatype type, MPI_Aint displacement);
    /// The blocks of a bounded vector whose first element stands at `displacement` (bytes);
    /// `extent` (bytes) is that of `base`.
    void add_bounded_vector(int bound, int blocklength, int stride, MPI_Aint displacement,
                            MPI_Aint extent, MPI_Datatype base);
    /// The structured datatype, not committed.
    int create(MPI_Datatype* newtype) const;

  private:
    std::vector<int> counts_;
    std::vector<MPI_Aint> displacements_;
    std::vector<MPI_Datatype> types_;
    std::vector<OwnedDatatype> owned_;
};

}  // namespace mpiaudit
