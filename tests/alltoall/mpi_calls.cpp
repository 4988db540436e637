// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls.h"

#include <map>

namespace mpiaudit {
namespace {

std::map<MPI_Request, SentMessage>& persistent_sends() {
    static std::map<MPI_Request, SentMessage> sends;
    return sends;
}

SentMessage message(int count, MPI_Datatype type, int to) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    return {to, count * bytes};
}

void record(const SentMessage& sent, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (sent.to != rank && sent.to != MPI_PROC_NULL) mpi_calls().sent.push_back(sent);
}

int created(int result) {
    ++mpi_calls().datatypes_created;
    return result;
}

}  // namespace

MpiCalls& mpi_calls() {
    static MpiCalls calls;
    return calls;
}

}  // namespace mpiaudit

using mpiaudit::mpi_calls;

extern "C" {

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
    mpiaudit::record(mpiaudit::message(sendcount, sendtype, dest), comm);
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                         source, recvtag, comm, status);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
    mpiaudit::record(mpiaudit::message(count, type, dest), comm);
    ++mpi_calls().requests_created;
    return PMPI_Isend(buffer, count, type, dest, tag, comm, request);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++mpi_calls().requests_created;
    return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
}

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                  MPI_Comm comm, MPI_Request* request) {
    ++mpi_calls().requests_created;
    const int result = PMPI_Send_init(buffer, count, type, dest, tag, comm, request);
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (dest != rank) mpiaudit::persistent_sends()[*request] = mpiaudit::message(count, type, dest);
    return result;
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    ++mpi_calls().requests_created;
    return PMPI_Recv_init(buffer, count, type, source, tag, comm, request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
    for (int i = 0; i < count; ++i) {
        const auto send = mpiaudit::persistent_sends().find(requests[i]);
        if (send != mpiaudit::persistent_sends().end()) mpi_calls().sent.push_back(send->second);
    }
    return PMPI_Startall(count, requests);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    const std::vector<MPI_Request> before(requests, requests + count);
    const int result = PMPI_Waitall(count, requests, statuses);
    for (int i = 0; i < count; ++i)
        if (before[i] != MPI_REQUEST_NULL && requests[i] == MPI_REQUEST_NULL)
            ++mpi_calls().requests_freed;
    return result;
}

int MPI_Request_free(MPI_Request* request) {
    ++mpi_calls().requests_freed;
    mpiaudit::persistent_sends().erase(*request);
    return PMPI_Request_free(request);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
    ++mpi_calls().communicators_created;
    return PMPI_Comm_dup(comm, newcomm);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
    const int result = PMPI_Comm_create(comm, group, newcomm);
    if (*newcomm != MPI_COMM_NULL) ++mpi_calls().communicators_created;
    return result;
}

int MPI_Comm_free(MPI_Comm* comm) {
    ++mpi_calls().communicators_freed;
    return PMPI_Comm_free(comm);
}

int MPI_Type_free(MPI_Datatype* type) {
    ++mpi_calls().datatypes_freed;
    return PMPI_Type_free(type);
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* newtype) {
    return mpiaudit::created(PMPI_Type_contiguous(count, type, newtype));
}

int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype type,
                    MPI_Datatype* newtype) {
    return mpiaudit::created(PMPI_Type_vector(count, blocklength, stride, type, newtype));
}

int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype* newtype) {
    return mpiaudit::created(PMPI_Type_create_hvector(count, blocklength, stride, type, newtype));
}

int MPI_Type_indexed(int count, const int blocklengths[], const int displacements[],
                     MPI_Datatype type, MPI_Datatype* newtype) {
    return mpiaudit::created(PMPI_Type_indexed(count, blocklengths, displacements, type, newtype));
}

int MPI_Type_create_hindexed(int count, const int blocklengths[], const MPI_Aint displacements[],
                             MPI_Datatype type, MPI_Datatype* newtype) {
    return mpiaudit::created(
        PMPI_Type_create_hindexed(count, blocklengths, displacements, type, newtype));
}

int MPI_Type_create_indexed_block(int count, int blocklength, const int displacements[],
                                  MPI_Datatype type, MPI_Datatype* newtype) {
    return mpiaudit::created(
        PMPI_Type_create_indexed_block(count, blocklength, displacements, type, newtype));
}

int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint displacements[],
                                   MPI_Datatype type, MPI_Datatype* newtype) {
    return mpiaudit::created(
        PMPI_Type_create_hindexed_block(count, blocklength, displacements, type, newtype));
}

int MPI_Type_create_struct(int count, const int blocklengths[], const MPI_Aint displacements[],
                           const MPI_Datatype types[], MPI_Datatype* newtype) {
    return mpiaudit::created(
        PMPI_Type_create_struct(count, blocklengths, displacements, types, newtype));
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent,
                            MPI_Datatype* newtype) {
    return mpiaudit::created(PMPI_Type_create_resized(type, lower_bound, extent, newtype));
}

int MPI_Type_get_contents(MPI_Datatype type, int max_integers, int max_addresses, int max_types,
                          int integers[], MPI_Aint addresses[], MPI_Datatype types[]) {
    const int result = PMPI_Type_get_contents(type, max_integers, max_addresses, max_types,
                                              integers, addresses, types);
    for (int i = 0; i < max_types; ++i) {
        int counts[3] = {};
        int combiner = MPI_COMBINER_NAMED;
        PMPI_Type_get_envelope(types[i], &counts[0], &counts[1], &counts[2], &combiner);
        // The handles of derived datatypes are new references that have to be freed.
        if (combiner != MPI_COMBINER_NAMED) ++mpi_calls().datatypes_created;
    }
    return result;
}

}  // extern "C"
