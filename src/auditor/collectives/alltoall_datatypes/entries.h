// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

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
