// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_ledger.h"

#include <mpi.h>

namespace {

mpiaudit::MpiLedger ledger;
long sent = 0;

bool is_derived(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED;
}

}  // namespace

namespace mpiaudit {

MpiLedger mpi_ledger() {
    return ledger;
}

long messages_sent() {
    return sent;
}

}  // namespace mpiaudit

extern "C" {

int MPI_Type_contiguous(int count, MPI_Datatype old_type, MPI_Datatype* new_type) {
    ++ledger.datatypes;
    return PMPI_Type_contiguous(count, old_type, new_type);
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint displacements[],
                           const MPI_Datatype types[], MPI_Datatype* new_type) {
    ++ledger.datatypes;
    return PMPI_Type_create_struct(count, lengths, displacements, types, new_type);
}

int MPI_Type_create_resized(MPI_Datatype old_type, MPI_Aint lower_bound, MPI_Aint extent,
                            MPI_Datatype* new_type) {
    ++ledger.datatypes;
    return PMPI_Type_create_resized(old_type, lower_bound, extent, new_type);
}

int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint displacements[],
                             MPI_Datatype old_type, MPI_Datatype* new_type) {
    ++ledger.datatypes;
    return PMPI_Type_create_hindexed(count, lengths, displacements, old_type, new_type);
}

int MPI_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses, int max_types,
                          int integers[], MPI_Aint addresses[], MPI_Datatype types[]) {
    const int code = PMPI_Type_get_contents(type, max_integers, max_addresses, max_types, integers,
                                            addresses, types);
    for (int i = 0; i < max_types; ++i)
        if (is_derived(types[i])) ++ledger.datatypes;
    return code;
}

int MPI_Type_free(MPI_Datatype* type) {
    --ledger.datatypes;
    return PMPI_Type_free(type);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++ledger.requests;
    return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++ledger.requests;
    ++sent;
    return PMPI_Isend(buffer, count, type, target, tag, comm, request);
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm) {
    ++sent;
    return PMPI_Send(buffer, count, type, target, tag, comm);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (*request != MPI_REQUEST_NULL) --ledger.requests;
    return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    for (int i = 0; i < count; ++i)
        if (requests[i] != MPI_REQUEST_NULL) --ledger.requests;
    return PMPI_Waitall(count, requests, statuses);
}

}  // extern "C"
