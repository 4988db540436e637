// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::interposition {

/// Whether the address lies in one of the libraries that make Fortran's calls of MPI calls of C.
/// Where these call PMPI_X, as in Open MPI, a wrapper of MPI_X never sees the program; a wrapper
/// of PMPI_X does, together with what MPI-IO calls inside the library, which this keeps out.
bool is_in_fortran_library(const void* address);

}  // namespace mpiaudit::interposition
