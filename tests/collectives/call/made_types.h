// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "messages/owned.h"

namespace mpiaudit::test {

OwnedDatatype contiguous(int count, MPI_Datatype type);
OwnedDatatype resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent);
/// Two ints without a gap, the one at the higher address first.
OwnedDatatype swapped_ints();
/// One int `bytes` after (or before) the address of the element, which is 4 bytes long from there.
OwnedDatatype shifted_int(MPI_Aint bytes);
/// An int and a char behind it, and three bytes of padding as C++ has them.
OwnedDatatype padded_struct();

}  // namespace mpiaudit::test
