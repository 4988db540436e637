// SPDX-License-Identifier: BSD-3-Clause
#include "made_types.h"

namespace mpiaudit::test {
namespace {

OwnedDatatype committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return OwnedDatatype(type);
}

}  // namespace

OwnedDatatype contiguous(int count, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(count, type, &made);
    return committed(made);
}

OwnedDatatype resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(type, lower_bound, extent, &made);
    return committed(made);
}

OwnedDatatype swapped_ints() {
    const int places[] = {1, 0};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &made);
    return committed(made);
}

OwnedDatatype shifted_int(MPI_Aint bytes) {
    const int length = 1;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &length, &bytes, MPI_INT, &made);
    return committed(made);
}

OwnedDatatype padded_struct() {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {0, 4};
    const MPI_Datatype types[] = {MPI_INT, MPI_CHAR};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    const OwnedDatatype owned(made);
    return resized(made, 0, 8);
}

}  // namespace mpiaudit::test
