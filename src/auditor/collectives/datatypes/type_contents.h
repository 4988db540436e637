// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace mpiaudit {

/// How a datatype was made. MPI_Type_get_contents hands out new references to the derived datatypes
/// from which it was; they are freed here.
struct TypeContents {
    explicit TypeContents(MPI_Datatype type);
    TypeContents(const TypeContents&) = delete;
    TypeContents& operator=(const TypeContents&) = delete;
    ~TypeContents();

    /// Also of unnamed types (Fortran's by precision and range), which have no contents and no end.
    bool is_predefined() const;

    int combiner = 0;
    std::vector<int> integers;        ///< that its constructor got
    std::vector<MPI_Datatype> types;  ///< from which it was made; none if it is predefined
};

}  // namespace mpiaudit
