// SPDX-License-Identifier: BSD-3-Clause
#include "recorded_calls.h"

#include <mpi.h>

#include <algorithm>
#include <map>

namespace mpiaudit::test {
namespace {

std::vector<RecordedCall>* recording = nullptr;
OpenHandles handles;
/// Messages of persistent requests, which are sent when these are started.
std::map<MPI_Request, RecordedCall> persistent;
/// Which of the receives of a recording a request is.
std::map<MPI_Request, int> receive_numbers;
int receives = 0;
/// Where the latest messages from MPI_ANY_SOURCE came from.
std::vector<int> any_sources;

int bytes(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return count * size;
}

bool is_another(int partner, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return partner != rank && partner != MPI_PROC_NULL;
}

void push(const RecordedCall& call) {
    recording->push_back(call);
    receives += call.kind == RecordedCall::receive;
}

/// Messages from anybody are one step of a schedule, for their order is not the algorithm's.
void add_any_sources() {
    if (any_sources.empty()) return;
    std::ranges::sort(any_sources);
    for (const int source : any_sources) push({RecordedCall::receive, source, 0});
    push({RecordedCall::wait, 0, 0});
    any_sources.clear();
}

void add(const RecordedCall& call) {
    if (!recording) return;
    add_any_sources();
    push(call);
}

void add_send(int count, MPI_Datatype type, int to, MPI_Comm comm) {
    if (is_another(to, comm)) add({RecordedCall::send, to, bytes(count, type)});
}

void add_receive(int from, MPI_Comm comm) {
    if (is_another(from, comm)) add({RecordedCall::receive, from, 0});
}

void add_wait() {
    add({RecordedCall::wait, 0, 0});
}

void made_receive(MPI_Request request, int from, MPI_Comm comm) {
    ++handles.requests;
    if (recording && is_another(from, comm)) receive_numbers[request] = receives;
}

int made_type(int result) {
    ++handles.datatypes;
    return result;
}

void completed(int count, const std::vector<MPI_Request>& before, const MPI_Request* after) {
    for (int i = 0; i < count; ++i)
        if (before[static_cast<std::size_t>(i)] != MPI_REQUEST_NULL && after[i] == MPI_REQUEST_NULL)
            --handles.requests;
}

}  // namespace

std::vector<RecordedCall> record_calls(const std::function<void()>& action) {
    std::vector<RecordedCall> calls;
    recording = &calls;
    receives = 0;
    receive_numbers.clear();
    action();
    add_any_sources();
    recording = nullptr;
    return calls;
}

OpenHandles open_handles() {
    return handles;
}

}  // namespace mpiaudit::test

using namespace mpiaudit::test;

extern "C" {

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    add_send(count, type, to, comm);
    add_wait();
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
    MPI_Status seen;
    const int result = PMPI_Recv(buffer, count, type, from, tag, comm, &seen);
    if (from == MPI_ANY_SOURCE) {
        if (recording) any_sources.push_back(seen.MPI_SOURCE);
    } else {
        add_receive(from, comm);
        add_wait();
    }
    if (status != MPI_STATUS_IGNORE) *status = seen;
    return result;
}

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int to, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int from, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
    add_receive(from, comm);
    add_send(sendcount, sendtype, to, comm);
    add_wait();
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, to, sendtag, recvbuf, recvcount, recvtype,
                         from, recvtag, comm, status);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    add_send(count, type, to, comm);
    ++handles.requests;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    add_receive(from, comm);
    const int result = PMPI_Irecv(buffer, count, type, from, tag, comm, request);
    made_receive(*request, from, comm);
    return result;
}

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    ++handles.requests;
    const int result = PMPI_Send_init(buffer, count, type, to, tag, comm, request);
    if (is_another(to, comm)) persistent[*request] = {RecordedCall::send, to, bytes(count, type)};
    return result;
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    ++handles.requests;
    const int result = PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
    if (is_another(from, comm)) persistent[*request] = {RecordedCall::receive, from, 0};
    return result;
}

int MPI_Startall(int count, MPI_Request requests[]) {
    for (int i = 0; i < count; ++i)
        if (persistent.contains(requests[i])) add(persistent[requests[i]]);
    return PMPI_Startall(count, requests);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    // Algorithms that wait for receives one by one do so in the order in which they started them.
    if (receive_numbers.contains(*request))
        add({RecordedCall::wait_for_receives, 0, receive_numbers[*request]});
    const std::vector<MPI_Request> before = {*request};
    const int result = PMPI_Wait(request, status);
    completed(1, before, request);
    return result;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    add_wait();
    const std::vector<MPI_Request> before(requests, requests + count);
    const int result = PMPI_Waitall(count, requests, statuses);
    completed(count, before, requests);
    return result;
}

int MPI_Request_free(MPI_Request* request) {
    --handles.requests;
    persistent.erase(*request);
    return PMPI_Request_free(request);
}

int MPI_Reduce_local(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op) {
    add({RecordedCall::reduce, 0, bytes(count, type)});
    return PMPI_Reduce_local(input, output, count, type, op);
}

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    add({RecordedCall::allreduce, 0, bytes(count, type)});
    return PMPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
    ++handles.communicators;
    return PMPI_Comm_dup(comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
    const int result = PMPI_Comm_split(comm, colour, key, made);
    handles.communicators += *made != MPI_COMM_NULL;
    return result;
}

int MPI_Comm_free(MPI_Comm* comm) {
    --handles.communicators;
    return PMPI_Comm_free(comm);
}

int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) {
    ++handles.operators;
    return PMPI_Op_create(function, commutes, op);
}

int MPI_Op_free(MPI_Op* op) {
    --handles.operators;
    return PMPI_Op_free(op);
}

int MPI_Type_free(MPI_Datatype* type) {
    --handles.datatypes;
    return PMPI_Type_free(type);
}

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made) {
    return made_type(PMPI_Type_dup(type, made));
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype* made) {
    return made_type(PMPI_Type_contiguous(count, type, made));
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made) {
    return made_type(PMPI_Type_vector(count, length, stride, type, made));
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype* made) {
    return made_type(PMPI_Type_create_hvector(count, length, stride, type, made));
}

int MPI_Type_indexed(int count, const int lengths[], const int places[], MPI_Datatype type,
                     MPI_Datatype* made) {
    return made_type(PMPI_Type_indexed(count, lengths, places, type, made));
}

int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint places[],
                             MPI_Datatype type, MPI_Datatype* made) {
    return made_type(PMPI_Type_create_hindexed(count, lengths, places, type, made));
}

int MPI_Type_create_indexed_block(int count, int length, const int places[], MPI_Datatype type,
                                  MPI_Datatype* made) {
    return made_type(PMPI_Type_create_indexed_block(count, length, places, type, made));
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint places[],
                                   MPI_Datatype type, MPI_Datatype* made) {
    return made_type(PMPI_Type_create_hindexed_block(count, length, places, type, made));
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint places[],
                           const MPI_Datatype types[], MPI_Datatype* made) {
    return made_type(PMPI_Type_create_struct(count, lengths, places, types, made));
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent,
                            MPI_Datatype* made) {
    return made_type(PMPI_Type_create_resized(type, lower_bound, extent, made));
}

int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                          int integers[], MPI_Aint addresses[], MPI_Datatype types[]) {
    const int result = PMPI_Type_get_contents(type, most_integers, most_addresses, most_types,
                                              integers, addresses, types);
    for (int i = 0; i < most_types; ++i) {
        int counts[3] = {};
        int combiner = MPI_COMBINER_NAMED;
        PMPI_Type_get_envelope(types[i], &counts[0], &counts[1], &counts[2], &combiner);
        // The handles of derived datatypes are new references that have to be freed.
        handles.datatypes += combiner != MPI_COMBINER_NAMED;
    }
    return result;
}

}  // extern "C"
