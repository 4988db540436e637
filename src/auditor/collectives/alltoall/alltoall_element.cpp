// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall_element.h"

#include "collectives/datatypes/layout.h"

namespace mpiaudit {
namespace {

OwnedDatatype contiguous(int count, MPI_Datatype type) {
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, type, &element);
    MPI_Type_commit(&element);
    return OwnedDatatype{element};
}

}  // namespace

AlltoallElement::AlltoallElement(int count, MPI_Datatype type)
    : type_{contiguous(count, type)}, extent_{count * type_extent(type)} {}

}  // namespace mpiaudit
