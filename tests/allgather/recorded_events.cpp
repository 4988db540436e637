// SPDX-License-Identifier: BSD-3-Clause
#include "recorded_events.h"

#include <mpi.h>

// The profiling interface of MPI: calls come here first.
namespace mpiaudit::test {
namespace {

Recording* recording = nullptr;

int bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    MPI_Type_size(type, &size);
    return count * size;
}

void add(const Event& event, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (recording && event.destination != rank && event.source != rank)
        recording->events.push_back(event);
}

}  // namespace

Recording record(const std::function<void()>& call) {
    Recording recorded;
    recording = &recorded;
    call();
    recording = nullptr;
    return recorded;
}

}  // namespace mpiaudit::test

using mpiaudit::test::add;
using mpiaudit::test::bytes_of;
using mpiaudit::test::recording;

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
             MPI_Comm comm) {
    add({destination, -1, bytes_of(count, type), 0}, comm);
    return PMPI_Send(buffer, count, type, destination, tag, comm);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm comm, MPI_Request* request) {
    add({destination, -1, bytes_of(count, type), 0}, comm);
    return PMPI_Isend(buffer, count, type, destination, tag, comm, request);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
    add({-1, source, 0, bytes_of(count, type)}, comm);
    return PMPI_Recv(buffer, count, type, source, tag, comm, status);
}

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int destination,
                 int sendtag, void* recvbuf, int recvcount, MPI_Datatype recvtype, int source,
                 int recvtag, MPI_Comm comm, MPI_Status* status) {
    add({destination, source, bytes_of(sendcount, sendtype), bytes_of(recvcount, recvtype)}, comm);
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, destination, sendtag, recvbuf, recvcount,
                         recvtype, source, recvtag, comm, status);
}

int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint places[],
                             MPI_Datatype type, MPI_Datatype* made) {
    if (recording) ++recording->datatypes_kept;
    return PMPI_Type_create_hindexed(count, lengths, places, type, made);
}

int MPI_Type_free(MPI_Datatype* type) {
    if (recording) --recording->datatypes_kept;
    return PMPI_Type_free(type);
}
